// The parts that the checks of contracts share.
#include "ops/check.h"

#include <cstring>

namespace arenite {

bool is_empty(const Step& step, uint32_t operand) {
  const uint32_t* dims = step.dims(operand);
  for (uint32_t left = step.elements(operand).rank; left != 0; --left) {
    if (*dims++ == 0) return true;
  }
  return false;
}

Status check_same_dims(const Step& step, uint32_t i) {
  const uint32_t y = step.input_count();
  const uint32_t rank = step.elements(y).rank;
  const bool same = step.elements(i).rank == rank &&
                    (rank == 0 || std::memcmp(step.dims(i), step.dims(y), 4u * rank) == 0);
  return same ? ok_status() : input_error(step, Code::kBadShape, i);
}

Status check_map(const Step& step) { return check_same_dims(step, 0); }

Status check_vector(const Step& step, uint32_t i, uint32_t count) {
  if (!step.has_input(i)) return ok_status();
  const format::ElementsRecord& x = step.elements(i);
  return x.rank == 1 && step.bindings().shapes[x.shape] == count
             ? ok_status()
             : input_error(step, Code::kBadShape, i);
}

Status check_single(const Step& step, uint32_t i) {
  const bool good = !step.has_input(i) || element_count(step.input(i)) == 1;
  return good ? ok_status() : input_error(step, Code::kBadShape, i);
}

Status check_reduced(const Step& step, uint32_t axes) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (x.rank() != y.rank()) return output_error(step, Code::kBadShape);
  if (axes >> x.rank() != 0) return error(Code::kBadAttribute);
  for (uint32_t d = 0; d < x.rank(); ++d) {
    if (y.dims[d] != ((axes >> d & 1u) != 0 ? 1 : x.dims[d])) {
      return output_error(step, Code::kBadShape);
    }
  }
  return check_dense_enough(step, 0);
}

Status check_dense_enough(const Step& step, uint32_t i) {
  const uint32_t operand = step.input_value(i);
  const format::ElementsRecord& x = elements_of(step.bindings(), operand);
  // Program::open saw to it for values that own their bytes, but in blocks.
  const bool apart = !format::is_constant(operand) &&
                     format::owns_bytes(step.bindings().values[operand]) &&
                     x.layout != static_cast<uint8_t>(Layout::kBlocked);
  return apart || dense_bytes(x, step.bindings().shapes + x.shape) <= x.bytes
             ? ok_status()
             : input_error(step, Code::kBadShape, i);
}

bool matrix_fits(const Tensor& tensor) {
  if (is_empty(tensor)) return true;
  const uint64_t elements =
      uint64_t{tensor.dims[tensor.rank() - 2]} * tensor.dims[tensor.rank() - 1];
  return elements * element_bytes(tensor.dtype()) <= tensor.bytes();
}

Status check_activation(const Activation& activation) {
  return activation.kind <= ActivationKind::kSwish ? ok_status() : error(Code::kBadAttribute);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

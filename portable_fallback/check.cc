// The parts that the checks of all kernels share.
#include "portable_fallback/check.h"

namespace arenite {

uint64_t bounded_count(const Tensor& tensor) {
  uint64_t count = 1;
  for (uint32_t d = 0; d < tensor.rank; ++d) {
    if (tensor.dims[d] == 0) return 0;
    count = bounded_product(count, tensor.dims[d]);
  }
  return count;
}

namespace {

bool fits_its_bytes(const Tensor& tensor) {
  return bounded_product(bounded_count(tensor), element_bytes(tensor.dtype)) <= tensor.bytes;
}

}  // namespace

Status check_operands(const Step& step, const OperandRule& rule) {
  const uint32_t inputs = step.input_count();
  const uint32_t outputs = step.output_count();
  if (inputs < rule.min_inputs || inputs > rule.max_inputs) return error(Code::kBadOperandCount);
  if (outputs == 0 || outputs > rule.max_outputs) return error(Code::kBadOperandCount);
  for (uint32_t i = 0; i < inputs; ++i) {
    if (!step.has_input(i)) {
      if (i < rule.min_inputs) return error(Code::kBadOperandCount);
      continue;
    }
    const Tensor x = step.input(i);
    if (element_bytes(x.dtype) == 0) return input_error(step, Code::kBadType, i);
    if (x.rank > kMaxRank) return input_error(step, Code::kBadShape, i);
    const bool packed = rule.packed_weights && i == 1 && x.layout == Layout::kPanel16;
    if (x.layout != Layout::kStrided && !packed) return input_error(step, Code::kBadLayout, i);
  }
  for (uint32_t i = 0; i < outputs; ++i) {
    if (step.output_value(i) == kNoIndex) return error(Code::kBadOperandCount);
    const OutTensor y = step.output(i);
    if (element_bytes(y.dtype) == 0) return output_error(step, Code::kBadType, i);
    if (y.layout != Layout::kStrided) return output_error(step, Code::kBadLayout, i);
    if (y.rank > kMaxRank || !fits_its_bytes(y)) return output_error(step, Code::kBadShape, i);
  }
  return ok_status();
}

Status check_dense_enough(const Step& step, uint32_t i) {
  return fits_its_bytes(step.input(i)) ? ok_status() : input_error(step, Code::kBadShape, i);
}

Status check_input_type(const Step& step, uint32_t i, DType type) {
  if (!step.has_input(i) || step.input(i).dtype == type) return ok_status();
  return input_error(step, Code::kBadType, i);
}

Status check_output_type(const Step& step, uint32_t i, DType type) {
  return step.output(i).dtype == type ? ok_status() : output_error(step, Code::kBadType, i);
}

Status check_all_types(const Step& step, DType type) {
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    ARENITE_TRY(check_input_type(step, i, type));
  }
  for (uint32_t i = 0; i < step.output_count(); ++i) {
    ARENITE_TRY(check_output_type(step, i, type));
  }
  return ok_status();
}

Status check_same_dims(const Step& step, uint32_t i) {
  const Tensor x = step.input(i);
  const OutTensor y = step.output(0);
  bool same = x.rank == y.rank;
  for (uint32_t d = 0; same && d < y.rank; ++d) same = x.dims[d] == y.dims[d];
  return same ? ok_status() : input_error(step, Code::kBadShape, i);
}

Status check_vector(const Step& step, uint32_t i, uint32_t count) {
  if (!step.has_input(i)) return ok_status();
  const Tensor x = step.input(i);
  return x.rank == 1 && x.dims[0] == count ? ok_status() : input_error(step, Code::kBadShape, i);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

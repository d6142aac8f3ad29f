// The contracts of family recurrent: a cell that is stepped through time, in one direction or both.
#include "ops/recurrent.h"

#include <initializer_list>

#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

bool has_dims(const Tensor& tensor, uint32_t rank, uint32_t first, uint32_t second,
              uint64_t third = 0) {
  return tensor.rank() == rank && tensor.dims[0] == first &&
         (rank < 2 || tensor.dims[1] == second) && (rank < 3 || tensor.dims[2] == third);
}

// An optional input: its type, its dims, and no element twice.
Status check_optional(const Step& step, uint32_t i, DType type, bool dims_agree) {
  if (!step.has_input(i)) return ok_status();
  if (step.dtype(i) != type) return input_error(step, Code::kBadType, i);
  return dims_agree ? ok_status() : input_error(step, Code::kBadShape, i);
}

Status check_functions(Op op, const RecurrentAttributes& attributes) {
  const uint32_t directions = attributes.direction == 2 ? 2 : 1;
  for (uint32_t d = 0; d < directions; ++d) {
    for (uint32_t i = 0; i < functions_of(op); ++i) {
      if (attributes.functions[3 * d + i].kind > CellFunctionKind::kSoftplus) {
        return error(Code::kBadAttribute);
      }
    }
  }
  // A NaN is not below it.
  return attributes.clip >= 0.0f ? ok_status() : error(Code::kBadAttribute);
}

Status check_recurrent(const Step& step) {
  const Op op = step.op();
  const auto attributes = step.attributes<RecurrentAttributes>();
  const uint32_t all_outputs = (1u << recurrent_outputs_of(op)) - 1u;
  if (attributes.direction > 2 || attributes.variant > (op == Op::kRNN ? 0u : 1u) ||
      attributes.outputs == 0 || attributes.outputs > all_outputs) {
    return error(Code::kBadAttribute);
  }
  ARENITE_TRY(check_functions(op, attributes));
  if (step.output_count() != count_of_outputs(attributes.outputs)) {
    return error(Code::kBadOperandCount);
  }
  for (uint32_t i = kX; i <= kR; ++i) {
    const Tensor operand = step.input(i);
    if (operand.rank() != 3 || is_empty(operand)) return input_error(step, Code::kBadShape, i);
    // The elements that are read bound the work.
    ARENITE_TRY(check_dense_enough(step, i));
  }
  const RecurrentSizes n = recurrent_sizes(step);
  if (n.directions != (attributes.direction == 2 ? 2u : 1u)) {
    return input_error(step, Code::kBadShape, kR);
  }
  const uint64_t gates = uint64_t{n.hidden} * gates_of(op);
  if (!has_dims(step.input(kW), 3, n.directions, n.inputs, gates)) {
    return input_error(step, Code::kBadShape, kW);
  }
  if (!has_dims(step.input(kR), 3, n.directions, n.hidden, gates)) {
    return input_error(step, Code::kBadShape, kR);
  }
  const auto two = [&](uint32_t i, uint64_t width) {
    return step.has_input(i) && step.elements(i).rank == 2 &&
           step.input(i).dims[0] == n.directions && step.input(i).dims[1] == width;
  };
  const auto state = [&](uint32_t i) {
    return step.has_input(i) && has_dims(step.input(i), 3, n.directions, n.batch, n.hidden);
  };
  if (step.dtype(kR) != DType::kFloat32) return input_error(step, Code::kBadType, kR);
  constexpr DType kFloat = DType::kFloat32;
  ARENITE_TRY(check_optional(step, kBias, kFloat, two(kBias, 2 * gates)));
  ARENITE_TRY(check_optional(step, kLengths, DType::kInt32, true));
  ARENITE_TRY(check_vector(step, kLengths, n.batch));
  ARENITE_TRY(check_optional(step, kInitialH, kFloat, state(kInitialH)));
  ARENITE_TRY(check_optional(step, kInitialC, kFloat, state(kInitialC)));
  ARENITE_TRY(check_optional(step, kPeepholes, kFloat, two(kPeepholes, uint64_t{n.hidden} * 3)));
  uint32_t place = 0;
  for (const RecurrentOutput output : {kY, kYH, kYC}) {
    if ((attributes.outputs >> output & 1u) == 0) continue;
    const OutTensor y = step.output(place);
    if (y.dtype() != kFloat) return output_error(step, Code::kBadType, place);
    const bool fits = output == kY
                          ? y.rank() == 4 && y.dims[0] == n.steps && y.dims[1] == n.directions &&
                                y.dims[2] == n.batch && y.dims[3] == n.hidden
                          : has_dims(y, 3, n.directions, n.batch, n.hidden);
    if (!fits) return output_error(step, Code::kBadShape, place);
    ++place;
  }
  return ok_status();
}

constexpr Contract recurrent(Op op, TypeSet types) {
  return {.op = op,
          .max_inputs = static_cast<uint16_t>(op == Op::kLSTM ? 8 : 6),
          .min_inputs = 3,
          .max_outputs = static_cast<uint8_t>(recurrent_outputs_of(op)),
          .attribute_words = words_of<RecurrentAttributes>(),
          .work = Work::kInner,
          .layout = {.kind = LayoutClass::kRowMajor},
          .types = types,
          .inputs = {OperandType::kT, OperandType::kT, OperandType::kAny},
          .check = check_recurrent};
}

}  // namespace

#define ARENITE_OP_recurrent(number, name, Type, set) \
  constexpr Contract k##Type##Contract = recurrent(Op::k##Type, types::k##set);
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

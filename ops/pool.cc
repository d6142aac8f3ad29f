// The contracts of family pool: each element of the output from a window of the input, over three
// spatial dims.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/window.h"

namespace arenite {
namespace {

Status check_pool(const Step& step) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (x.rank() != 5) return input_error(step, Code::kBadShape, 0);
  if (y.rank() != 5 || y.dims[0] != x.dims[0] || y.dims[1] != x.dims[1]) {
    return output_error(step, Code::kBadShape);
  }
  const auto attributes = step.attributes<PoolAttributes>();
  for (uint32_t axis = 0; axis < 3; ++axis) {
    if (attributes.kernel[axis] == 0 || attributes.pad_end[axis] >= kMaxPosition ||
        !window_fits(pool_window(attributes, x, axis), y.dims[2 + axis])) {
      return error(Code::kBadAttribute);
    }
  }
  if (step.op() == Op::kLpPool && attributes.p == 0) return error(Code::kBadAttribute);
  for (uint32_t i = 1; i < step.output_count(); ++i) {
    const OutTensor other = step.output(i);
    bool same = other.rank() == y.rank();
    for (uint32_t d = 0; same && d < y.rank(); ++d) same = other.dims[d] == y.dims[d];
    if (!same) return output_error(step, Code::kBadShape, i);
  }
  return check_dense_enough(step, 0);
}

constexpr Contract pool(Op op, TypeSet types) {
  return {.op = op,
          // The second output of max_pool holds the place of each window's greatest element.
          .max_outputs = op == Op::kMaxPool ? uint8_t{2} : uint8_t{1},
          .attribute_words = words_of<PoolAttributes>(),
          .work = Work::kWindow,
          .layout = {.kind = LayoutClass::kSpatial, .operands = 1, .rank = 5},
          .types = types,
          .outputs = {OperandType::kT, OperandType::kInt64},
          .check = check_pool};
}

}  // namespace

#define ARENITE_OP_pool(number, name, Type, set) \
  constexpr Contract k##Type##Contract = pool(Op::k##Type, types::k##set);
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The contract of quantized_average_pool: means of windows of integers.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/requantization.h"
#include "ops/window.h"

namespace arenite {
namespace {

Status check_multipliers(const Step& step, const QuantizedAveragePoolAttributes& attributes) {
  if (!step.has_input(1)) return ok_status();
  const Tensor multipliers = step.input(1);
  if (multipliers.dtype() != DType::kInt32) return input_error(step, Code::kBadType, 1);
  uint64_t elements = 1;
  for (const uint32_t size : attributes.kernel) {
    elements *= size;
    if (elements >= kMaxPosition) return error(Code::kBadAttribute);
  }
  // The attribute would be a second multiplier.
  if (attributes.multiplier != 0) return error(Code::kBadAttribute);
  return multipliers.rank() == 1 && multipliers.dims[0] == elements + 1
             ? ok_status()
             : input_error(step, Code::kBadShape, 1);
}

Status check_quantized_average_pool(const Step& step) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (x.rank() != 5) return input_error(step, Code::kBadShape, 0);
  if (y.rank() != 5 || y.dims[0] != x.dims[0] || y.dims[1] != x.dims[1]) {
    return output_error(step, Code::kBadShape);
  }
  const auto attributes = step.attributes<QuantizedAveragePoolAttributes>();
  for (uint32_t axis = 0; axis < 3; ++axis) {
    if (attributes.kernel[axis] == 0 ||
        !window_fits(pool_window(attributes, x, axis), y.dims[2 + axis])) {
      return error(Code::kBadAttribute);
    }
  }
  if (!range_of(x.dtype()).holds(attributes.x_zero_point) ||
      !is_multiplier(attributes.multiplier, attributes.shift)) {
    return error(Code::kBadAttribute);
  }
  ARENITE_TRY(check_requantization(attributes.output, y.dtype()));
  ARENITE_TRY(check_multipliers(step, attributes));
  return check_dense_enough(step, 0);
}

}  // namespace

constexpr Contract kQuantizedAveragePoolContract = {
    .op = Op::kQuantizedAveragePool,
    .max_inputs = 2,
    .attribute_words = words_of<QuantizedAveragePoolAttributes>(),
    .work = Work::kWindow,
    .layout = {.kind = LayoutClass::kSpatial, .operands = 1, .rank = 5},
    .types = kQuantizedAveragePoolTypes,
    .inputs = {OperandType::kT, OperandType::kAny, OperandType::kAny},
    .check = check_quantized_average_pool,
};

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0

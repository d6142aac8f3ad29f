// The contract of quantized_average_pool: means of windows of integers.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/requantization.h"
#include "ops/window.h"

namespace arenite {
namespace {

// Whether input 1 is what takes the place of the multiplier: one for each number of elements that
// a window may have.
Status check_multipliers(const Step& step, const QuantizedAveragePoolAttributes& attributes) {
  if (!step.has_input(1)) return ok_status();
  const format::ElementsRecord& multipliers = step.elements(1);
  if (multipliers.dtype != static_cast<uint8_t>(DType::kInt32)) {
    return input_error(step, Code::kBadType, 1);
  }
  uint64_t elements = 1;
  for (const uint32_t size : attributes.kernel) {
    elements *= size;
    if (elements >= kMaxPosition) return error(Code::kBadAttribute);
  }
  // The attribute would be a second multiplier.
  if (attributes.multiplier != 0) return error(Code::kBadAttribute);
  return check_vector(step, 1, static_cast<uint32_t>(elements) + 1);
}

Status check_quantized_average_pool(const Step& step) {
  if (step.elements(0).rank != 5) return input_error(step, Code::kBadShape, 0);
  const uint32_t output = step.input_count();
  const uint32_t* x = step.dims(0);
  const uint32_t* y = step.dims(output);
  if (step.elements(output).rank != 5 || y[0] != x[0] || y[1] != x[1]) {
    return output_error(step, Code::kBadShape);
  }
  QuantizedAveragePoolAttributes room;
  const QuantizedAveragePoolAttributes& attributes = step.attributes(room);
  bool good = is_one_of(attributes.x_zero_point, step.dtype(0)) &&
              is_multiplier(attributes.multiplier, attributes.shift);
  for (uint32_t axis = 0; axis < 3; ++axis) {
    good = good && attributes.kernel[axis] != 0 &&
           window_fits({x[2 + axis], attributes.kernel[axis], attributes.stride[axis],
                        attributes.dilation[axis], attributes.pad_begin[axis]},
                       y[2 + axis]);
  }
  if (!good) return error(Code::kBadAttribute);
  ARENITE_TRY(check_requantization(attributes.output, step.dtype(output)));
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

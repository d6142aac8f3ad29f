// Checks types first, then shapes, then numbers.
#include "ops/quantized_conv_ends.h"

#include "core/contract.h"
#include "ops/check.h"
#include "ops/filters.h"
#include "ops/requantization.h"
#include "ops/window.h"

namespace arenite {
namespace {

constexpr uint32_t kEnds = 3;  // biases, multipliers, shifts

Status check_types(const Step& step) {
  if (!has(types::kByte, step.dtype(1))) return input_error(step, Code::kBadType, 1);
  if (step.dtype(kEndsInput) != DType::kInt32) {
    return input_error(step, Code::kBadType, kEndsInput);
  }
  const DType y = step.dtype(kJoinedInputs);
  if (step.dtype(kJoinedInput) != y) return input_error(step, Code::kBadType, kJoinedInput);
  return has(types::kByte, y) ? ok_status() : output_error(step, Code::kBadType);
}

Status check_shapes(const Step& step, const QuantizedConvAttributes& conv) {
  const Tensor x = step.input(0), w = step.input(1);
  const OutTensor y = step.output(0);
  ARENITE_TRY(check_filter_dims(step, {x, w, y}, 2, conv.groups));
  ARENITE_TRY(check_ends(step, kEndsInput, w.dims[0]));
  for (uint32_t axis = 0; axis < 2; ++axis) {
    if (!window_fits(conv_window(conv, x, w, axis), y.dims[2 + axis])) {
      return error(Code::kBadAttribute);
    }
  }
  return ok_status();
}

}  // namespace

Status check_ends(const Step& step, uint32_t i, uint32_t outputs) {
  const Tensor ends = step.input(i);
  const bool good = ends.rank() == 2 && ends.dims[0] == kEnds && ends.dims[1] == outputs;
  return good ? check_dense_enough(step, i) : input_error(step, Code::kBadShape, i);
}

Status check_conv_with_ends(const Step& step, const QuantizedConvAttributes& conv) {
  ARENITE_TRY(check_types(step));
  ARENITE_TRY(check_shapes(step, conv));
  if (!is_one_of(conv.x_zero_point, step.dtype(0)) || !is_one_of(conv.outside, step.dtype(0)) ||
      !is_one_of(conv.w_zero_point, step.dtype(1))) {
    return error(Code::kBadAttribute);
  }
  return check_requantization(conv.output, step.dtype(kJoinedInputs));
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

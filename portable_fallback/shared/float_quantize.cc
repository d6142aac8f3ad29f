// Cuts rows where the scale or the zero point changes from element to element.
#include "portable_fallback/shared/float_quantize.h"

#include <type_traits>

#include "ops/attributes.h"
#include "portable_fallback/fast/integer_quantize_dsp_kernel.h"
#include "portable_fallback/shared/elementwise.h"

namespace arenite {
namespace {

constexpr uint32_t kInputs = 3;

// Quantizes to Number, or to the unsigned type of its size, which differs in its highest bit.
template <typename Number, auto& kKernel>
void quantize_row(const void* context, const ElementwiseRow& all) {
  using Bits = std::make_unsigned_t<Number>;
  const auto& by = *static_cast<const FloatQuantize*>(context);
  const bool one_scale = all.steps[1] == 0 && (all.inputs[2] == nullptr || all.steps[2] == 0);
  QuantizeRow row = {all.inputs[0], all.y, all.steps[0], all.y_step, 0, 0, all.count};
  if (!one_scale) row.count = 1;
  Src<std::byte> scale = all.inputs[1], zero_point = all.inputs[2];
  for (uint32_t left = all.count; left != 0; left -= row.count) {
    row.scale = *as<float>(scale);
    const int32_t zero = zero_point == nullptr ? 0 : static_cast<int32_t>(*as<Bits>(zero_point));
    row.zero_point = static_cast<Number>(zero ^ by.flip);
    kKernel(by, row);
    if (one_scale) return;
    row.x += row.x_step;
    row.y += row.y_step;
    scale += all.steps[1];
    if (zero_point != nullptr) zero_point += all.steps[2];
  }
}

Status run_rows(const Step& step, const Platform& platform, ElementwiseFunction row) {
  const FloatQuantize by = {step.attributes<QuantizeAttributes>().rounding == Rounding::kHalfEven,
                            step.dtype(step.input_count()) == DType::kUint8 ? 0x80 : 0};
  return run_elementwise(step, platform, {row, &by, kInputs, 8});
}

}  // namespace

bool takes_float_quantize(const Step& step) {
  return element_bytes(step.dtype(step.input_count())) == 1;
}

bool takes_float_quantize16(const Step& step) {
  return step.dtype(step.input_count()) == DType::kInt16;
}

// A row's scale and zero point are read once.
uint64_t float_quantize_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  return elementwise_distance(step, input, kInputs);
}

Status run_float_quantize(const Step& step, const Platform& platform) {
  return run_rows(step, platform, quantize_row<int8_t, quantize_row_dsp>);
}

Status run_float_quantize16(const Step& step, const Platform& platform) {
  return run_rows(step, platform, quantize_row<int16_t, quantize_row16_dsp>);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

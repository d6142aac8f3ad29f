// y = (x - zero_point) * scale.
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/elementwise.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

constexpr uint32_t kInputs = 3;

template <typename T>
void dequantize_row(const void*, const ElementwiseRow& row) {
  Dst<std::byte> y = row.y;
  Src<std::byte> x = row.inputs[0], scale = row.inputs[1], zero_point = row.inputs[2];
  for (uint32_t left = row.count; left != 0; --left) {
    const int32_t zero = zero_point == nullptr ? 0 : int32_t{*as<T>(zero_point)};
    // Sums of 32 bits wrap.
    const auto number = static_cast<int32_t>(static_cast<uint32_t>(int32_t{*as<T>(x)}) -
                                             static_cast<uint32_t>(zero));
    *as<float>(y) = static_cast<float>(number) * *as<float>(scale);
    y += row.y_step;
    x += row.steps[0];
    scale += row.steps[1];
    if (zero_point != nullptr) zero_point += row.steps[2];
  }
}

template <TypeSet kTypes>
Status run_dequantize(const Step& step, const Platform& platform) {
  ElementwiseFunction row = nullptr;
  for_type<kTypes>(step.input(0).dtype(), [&]<typename T>() { row = dequantize_row<T>; });
  return run_elementwise(step, platform, {row, nullptr, kInputs, 2});
}

uint64_t dequantize_distance(const Step& step, uint32_t input) {
  return elementwise_distance(step, input, kInputs);
}

template <TypeSet kTypes>
constexpr Form dequantize_form(uint8_t number) {
  return make_form(
      Op::kDequantize, number,
      {.parallel = true, .safe_distance = dequantize_distance, .run = run_dequantize<kTypes>});
}

}  // namespace

constexpr Form kDequantizeForm1 = dequantize_form<form_types(Op::kDequantize, 1)>(1);
ARENITE_FORM_CODE(Dequantize, 1)
constexpr Form kDequantizeForm2 = dequantize_form<form_types(Op::kDequantize, 2)>(2);
ARENITE_FORM_CODE(Dequantize, 2)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// y = round(x / scale) + zero_point, within the integers of y's type.
#include "portable_fallback/shared/quantize.h"
#include "ops/attributes.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/elementwise.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

constexpr uint32_t kInputs = 3;

// One scale and one zero point for a whole row.
template <typename T>
void quantize_alike(Rounding rounding, const ElementwiseRow& row) {
  const float scale = *as<float>(row.inputs[1]);
  const int32_t zero = row.inputs[2] == nullptr ? 0 : int32_t{*as<T>(row.inputs[2])};
  Dst<std::byte> y = row.y;
  Src<std::byte> x = row.inputs[0];
  for (uint32_t left = row.count; left != 0; --left, y += row.y_step, x += row.steps[0]) {
    *as<T>(y) = quantized<T>(*as<float>(x) / scale, zero, rounding);
  }
}

template <typename T>
void quantize_row(const void* context, const ElementwiseRow& row) {
  const Rounding rounding = *static_cast<const Rounding*>(context);
  if (row.steps[1] == 0 && row.steps[2] == 0) return quantize_alike<T>(rounding, row);
  Dst<std::byte> y = row.y;
  Src<std::byte> x = row.inputs[0], scale = row.inputs[1], zero_point = row.inputs[2];
  for (uint32_t left = row.count; left != 0; --left) {
    const int32_t zero = zero_point == nullptr ? 0 : int32_t{*as<T>(zero_point)};
    *as<T>(y) = quantized<T>(*as<float>(x) / *as<float>(scale), zero, rounding);
    y += row.y_step;
    x += row.steps[0];
    scale += row.steps[1];
    if (zero_point != nullptr) zero_point += row.steps[2];
  }
}

template <TypeSet kTypes>
Status run_quantize(const Step& step, const Platform& platform) {
  const auto attributes = step.attributes<QuantizeAttributes>();
  ElementwiseFunction row = nullptr;
  for_type<kTypes>(step.output(0).dtype(), [&]<typename T>() { row = quantize_row<T>; });
  return run_elementwise(step, platform, {row, &attributes.rounding, kInputs, 8});
}

uint64_t quantize_distance(const Step& step, uint32_t input) {
  const NestedLoop loop = elementwise_loop(step, kInputs);
  DistanceWalk walk;
  if (loop.rank == 0 || input >= kInputs) return 0;
  // A scale or zero point that serves a whole row is read before the row is written.
  const bool once = input != 0 && loop.inner_stride(2) == 0 && loop.inner_stride(3) == 0;
  walk_loop(walk, loop, 1 + input,
            {.y_bytes = element_bytes(step.output(0).dtype()),
             .x_bytes = element_bytes(step.input(input).dtype())},
            once ? kRowPiece : 1);
  return walk.bytes();
}

template <TypeSet kTypes>
constexpr Form quantize_form(uint8_t number) {
  return make_form(
      Op::kQuantize, number,
      {.parallel = true, .safe_distance = quantize_distance, .run = run_quantize<kTypes>});
}

}  // namespace

constexpr Form kQuantizeForm1 = quantize_form<form_types(Op::kQuantize, 1)>(1);
ARENITE_FORM_CODE(Quantize, 1)
constexpr Form kQuantizeForm2 = quantize_form<form_types(Op::kQuantize, 2)>(2);
ARENITE_FORM_CODE(Quantize, 2)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

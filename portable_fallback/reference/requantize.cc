// y = x in another scale, with another zero point.
#include "ops/attributes.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/map.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/requantization.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

// Y: an unsigned type of the result's size, whose low bits are stored.
template <typename X, typename Y>
void requantize_row(const void* context, Src<std::byte> from, Dst<std::byte> to, uint32_t count) {
  const auto& by = *static_cast<const RequantizeAttributes*>(context);
  Src<X> x = as<X>(from);
  Dst<Y> y = as<Y>(to);
  for (uint32_t i = 0; i < count; ++i) {
    const X element = x[i];
    const int32_t number = wrapped_sum(int32_t{element}, wrapped_negative(by.x_zero_point));
    y[i] = static_cast<Y>(finished(number, by.multiplier, by.shift, by.output));
  }
}

template <typename X>
MapRow row_of(uint32_t bytes) {
  switch (bytes) {
    case 1:
      return requantize_row<X, uint8_t>;
    case 2:
      return requantize_row<X, uint16_t>;
    default:
      return requantize_row<X, uint32_t>;
  }
}

template <TypeSet kTypes>
Status run_requantize(const Step& step, const Platform& platform) {
  const auto attributes = step.attributes<RequantizeAttributes>();
  MapRow row = nullptr;
  for_type<kTypes>(step.input(0).dtype(),
                   [&]<typename T>() { row = row_of<T>(element_bytes(step.output(0).dtype())); });
  return run_map(step, platform, {row, &attributes, 8});
}

template <TypeSet kTypes>
constexpr Form requantize_form(uint8_t number) {
  return make_form(
      Op::kRequantize, number,
      {.parallel = true, .safe_distance = map_distance, .run = run_requantize<kTypes>});
}

}  // namespace

constexpr Form kRequantizeForm1 = requantize_form<form_types(Op::kRequantize, 1)>(1);
ARENITE_FORM_CODE(Requantize, 1)
constexpr Form kRequantizeForm2 = requantize_form<form_types(Op::kRequantize, 2)>(2);
ARENITE_FORM_CODE(Requantize, 2)

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0

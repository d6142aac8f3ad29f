// y = table[x], x counted from the least number of its type; or between two of its places.
#include "ops/lookup.h"

#include <limits>

#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/interpolate.h"
#include "portable_fallback/shared/map.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

struct Table {
  Src<std::byte> data;
  ptrdiff_t step;  // elements
};

template <typename T>
uint32_t place_of(T x) {
  return static_cast<uint32_t>(int32_t{x} - std::numeric_limits<T>::lowest());
}

template <typename X, typename Y>
void lookup_row(const void* context, Src<std::byte> from, Dst<std::byte> to, uint32_t count) {
  const auto& table = *static_cast<const Table*>(context);
  Src<Y> values = as<Y>(table.data);
  Src<X> x = as<X>(from);
  Dst<Y> y = as<Y>(to);
  for (uint32_t i = 0; i < count; ++i) {
    const X number = x[i];
    y[i] = Y(values[static_cast<ptrdiff_t>(place_of(number)) * table.step]);
  }
}

void interpolated_row(const void* context, Src<std::byte> from, Dst<std::byte> to, uint32_t count) {
  const auto& table = *static_cast<const Table*>(context);
  Src<int16_t> values = as<int16_t>(table.data);
  Src<int16_t> x = as<int16_t>(from);
  Dst<int16_t> y = as<int16_t>(to);
  for (uint32_t i = 0; i < count; ++i) {
    const int16_t number = x[i];
    y[i] = interpolated(values, table.step, number);
  }
}

// By the size of its results: they are moved.
template <typename X>
MapRow row_of(uint32_t bytes) {
  switch (bytes) {
    case 1:
      return lookup_row<X, uint8_t>;
    case 2:
      return lookup_row<X, uint16_t>;
    case 4:
      return lookup_row<X, uint32_t>;
    default:
      return lookup_row<X, uint64_t>;
  }
}

template <TypeSet kTypes>
Status run_lookup(const Step& step, const Platform& platform) {
  const Tensor values = step.input(1);
  const Table table = {values.read<std::byte>(), static_cast<ptrdiff_t>(values.strides[0])};
  MapRow row = interpolated_row;
  if (values.dims[0] != kInterpolatedTable) {
    for_type<kTypes>(step.input(0).dtype(),
                     [&]<typename T>() { row = row_of<T>(element_bytes(values.dtype())); });
  }
  return run_map(step, platform, {row, &table, 4});
}

// The table is read to the end.
uint64_t lookup_distance(const Step& step, uint32_t input) {
  return input == 0 ? map_distance(step, input) : kNoOverlap;
}

template <TypeSet kTypes>
constexpr Form lookup_form(uint8_t number) {
  return make_form(Op::kLookup, number,
                   {.parallel = true, .safe_distance = lookup_distance, .run = run_lookup<kTypes>});
}

}  // namespace

constexpr Form kLookupForm1 = lookup_form<form_types(Op::kLookup, 1)>(1);
ARENITE_FORM_CODE(Lookup, 1)
constexpr Form kLookupForm2 = lookup_form<form_types(Op::kLookup, 2)>(2);
ARENITE_FORM_CODE(Lookup, 2)

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0

// Units of a layer of low rank over any kind of dot products: the products of some features with x,
// then their states and results.
#pragma once

#include "portable_fallback/fast/integer_svdf.h"

namespace arenite {
namespace {

constexpr uint32_t kFeaturesAtOnce = 16;

// Moves a feature's state of type T on; returns what its times make of it.
template <typename Dot>
inline int32_t remember(const IntegerSvdf& svdf, const SvdfUnits& units, uint32_t feature,
                        int32_t newest) {
  const size_t first = size_t{feature} * svdf.memory;
  const size_t row = feature * svdf.time_step;
  if (svdf.wide) {
    const auto* times = static_cast<const int16_t*>(static_cast<const void*>(svdf.times)) + row;
    return Dot::remember(as<int16_t>(units.next) + first, as<int16_t>(units.state) + first, times,
                         svdf.memory, dsp::saturated_16(newest));
  }
  const auto* times = static_cast<const int8_t*>(static_cast<const void*>(svdf.times)) + row;
  const int32_t zero_point = svdf.state_zero_point;
  const int32_t number = limited_number(newest, -128 - zero_point, 127 - zero_point) + zero_point;
  return Dot::remember(as<int8_t>(units.next) + first, as<int8_t>(units.state) + first, times,
                       svdf.memory, number, zero_point);
}

template <typename Dot>
inline void compute_svdf(const IntegerSvdf& given, const SvdfUnits& units) {
  // A copy: what is written could be its own bytes.
  const IntegerSvdf svdf = given;
  const TwiceRounded newest(svdf.newest), result(svdf.result);
  const int32_t low = svdf.low - svdf.zero_point, high = svdf.high - svdf.zero_point;
  Dot::widen(units.numbers, units.x, units.x_step, svdf.inputs, -svdf.x_zero_point);
  const int32_t* bias = svdf.bias + units.first * svdf.bias_step;
  Dst<int8_t> y = units.y + units.first * units.y_step;
  const uint32_t end = (units.first + units.count) * svdf.rank;
  uint32_t missing = svdf.rank;  // features of the unit
  uint32_t sum = 0;
  for (uint32_t f = units.first * svdf.rank; f < end;) {
    const uint32_t count = end - f < kFeaturesAtOnce ? end - f : kFeaturesAtOnce;
    int32_t products[kFeaturesAtOnce];
    Dot::add_rows(units.numbers, svdf.features + f * svdf.feature_step, svdf.feature_step,
                  svdf.inputs, count, products);
    for (uint32_t j = 0; j < count; ++j, ++f) {
      sum += static_cast<uint32_t>(remember<Dot>(svdf, units, f, newest(products[j])));
      if (--missing != 0) continue;
      if (svdf.bias != nullptr) sum += static_cast<uint32_t>(*bias);
      const int32_t number = limited_number(result(static_cast<int32_t>(sum)), low, high);
      *y = static_cast<int8_t>(number + svdf.zero_point);
      y += units.y_step;
      bias += svdf.bias_step;
      missing = svdf.rank;
      sum = 0;
    }
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Multiplies pairs of 8-bit integers, kPairsAtOnce at once; compiled for each instruction set,
// whose kernel makes results of the products.
#pragma once

#include <cstring>

#include "portable_fallback/fast/integer_pairs_neighbors.h"

namespace arenite {
namespace {

// Reads `count` elements, `step` apart.
template <typename T>
inline void take_elements(T* to, Src<std::byte> from, ptrdiff_t step, uint32_t count) {
  if (step != 1) {
    for (uint32_t i = 0; i < count; ++i, from += step) to[i] = *as<T>(from);
  } else if (count == kPairsAtOnce) {
    take(to, as<T>(from), kPairsAtOnce);
  } else {
    take(to, as<T>(from), count);
  }
}

// make(products, results): of kPairsAtOnce.
template <typename T, typename Make>
inline void multiply_neighbors(const NeighborPairs& by, const IntegerPairRow& row,
                               const Make& make) {
  const int32_t first = by.zero_points[0], second = by.zero_points[1];
  T a[kPairsAtOnce] = {}, b[kPairsAtOnce] = {};
  alignas(64) int32_t products[kPairsAtOnce];
  alignas(64) int8_t results[kPairsAtOnce];
  Src<std::byte> of_a = row.inputs[0], of_b = row.inputs[1];
  Dst<std::byte> y = row.y;
  uint32_t count = 0;
  for (uint32_t left = row.count; left != 0; left -= count) {
    count = left < kPairsAtOnce ? left : kPairsAtOnce;
    take_elements(a, of_a, row.steps[0], count);
    take_elements(b, of_b, row.steps[1], count);
    // By sixteens, as GCC copies bytes: what it loads was stored at once.
    for (uint32_t i = 0; i < kPairsAtOnce; i += 16) {
      for (uint32_t k = i; k < i + 16; ++k) products[k] = (a[k] - first) * (b[k] - second);
    }
    make(static_cast<const int32_t*>(products), static_cast<int8_t*>(results));
    if (row.y_step != 1) {
      Dst<std::byte> to = y;
      for (uint32_t i = 0; i < count; ++i, to += row.y_step) *as<int8_t>(to) = results[i];
    } else if (count == kPairsAtOnce) {
      put(as<int8_t>(y), static_cast<const int8_t*>(results), kPairsAtOnce);
    } else {
      put(as<int8_t>(y), static_cast<const int8_t*>(results), count);
    }
    of_a += static_cast<ptrdiff_t>(count) * row.steps[0];
    of_b += static_cast<ptrdiff_t>(count) * row.steps[1];
    y += static_cast<ptrdiff_t>(count) * row.y_step;
  }
}

template <typename Make>
inline void multiply_neighbors(const NeighborPairs& by, const IntegerPairRow& row,
                               const Make& make) {
  by.is_unsigned ? multiply_neighbors<uint8_t>(by, row, make)
                 : multiply_neighbors<int8_t>(by, row, make);
}

// Results of any rounding, one after the other.
inline void multiply_neighbors_each(const NeighborPairs& by, const IntegerPairRow& row) {
  const IntegerResults& results = by.results;
  multiply_neighbors(by, row, [&](const int32_t* products, int8_t* to) {
    for (uint32_t i = 0; i < kPairsAtOnce; ++i) {
      to[i] = static_cast<int8_t>(
          results.finish(results, products[i], *results.multipliers, *results.shifts));
    }
  });
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

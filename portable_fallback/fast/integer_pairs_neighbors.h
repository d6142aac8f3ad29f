// Describes rows of pairs of 8-bit integers to kernels of hosts, whose vectors make many products
// at once, of every rounding.
#pragma once

#include "portable_fallback/fast/integer_pairs.h"
#include "portable_fallback/fast/integer_results.h"

namespace arenite {

inline constexpr uint32_t kPairsAtOnce = 64;  // elements that are read before their results are put

struct NeighborPairs {
  int32_t zero_points[2];
  bool is_unsigned;        // uint8, else int8
  IntegerResults results;  // of one output, without a bias
};

using NeighborPairsKernel = void (*)(const NeighborPairs& by, const IntegerPairRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Multiplies pairs of 8-bit integers with AVX-512.
#pragma once

#include "portable_fallback/fast/integer_pairs_neighbors.h"

namespace arenite {

void multiply_pairs_avx512vnni(const NeighborPairs& by, const IntegerPairRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Multiplies pairs of 8-bit integers with vectors that every 64-bit x86 and Arm has.
#pragma once

#include "portable_fallback/fast/integer_pairs_neighbors.h"

namespace arenite {

void multiply_pairs_base(const NeighborPairs& by, const IntegerPairRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

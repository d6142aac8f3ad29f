// Adds numbers of 8 bits of two scales on CPUs with Arm's MVE; halves go to even.
#pragma once

#include "portable_fallback/fast/integer_sums_once.h"

namespace arenite {

void add_sums_even_mve(const OnceSums& sums, const OnceSumRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

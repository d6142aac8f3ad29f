// Adds numbers of 8 bits of two scales, which are rounded once, with Arm's MVE.
#pragma once

#include "portable_fallback/fast/integer_sums_once.h"

namespace arenite {

// Four neighboring elements at once.
void add_sums_once_mve(const OnceSums& sums, const OnceSumRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

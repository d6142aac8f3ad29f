// Finds the greatest elements of windows of 8-bit integers with Arm's MVE.
#pragma once

#include "portable_fallback/fast/integer_max_pool.h"

namespace arenite {

void max_pool_mve(const MaxPoolRun& run);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

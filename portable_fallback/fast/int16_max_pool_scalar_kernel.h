// Finds the greatest elements of windows of 16-bit integers one by one.
#pragma once

#include "portable_fallback/fast/int16_pool.h"

namespace arenite {

void max_pool_int16_scalar(const Int16MaxPoolRun& run);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Pools floats with AVX2.
#pragma once

#include "portable_fallback/fast/float_pool.h"

namespace arenite {

void float_max_pool_avx2(const FloatPoolRun& run);
void float_average_pool_avx2(const FloatPoolRun& run);

// They take one channel, whose innermost taps are neighbors, in no order of the taps, but with the
// same bits on every machine.
void float_max_rows_avx2(const FloatPoolRun& run);
void float_average_rows_avx2(const FloatPoolRun& run);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

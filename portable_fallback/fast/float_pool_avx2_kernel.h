// Pools floats with AVX2.
#pragma once

#include "portable_fallback/fast/float_pool.h"

namespace arenite {

void float_max_pool_avx2(const FloatPoolRun& run);
void float_average_pool_avx2(const FloatPoolRun& run);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Pools floats with the vectors that every machine of an architecture has.
#pragma once

#include "portable_fallback/fast/float_pool.h"

namespace arenite {

void float_max_pool_base(const FloatPoolRun& run);
void float_average_pool_base(const FloatPoolRun& run);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

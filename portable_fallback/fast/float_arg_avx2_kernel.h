// Finds the best of floats with AVX2.
#pragma once

#include "portable_fallback/fast/float_arg.h"

namespace arenite {

// Writes the place of the best of each search.
void find_best_floats_avx2(const FloatArgRun& run, uint32_t* places);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Compiles the functions of two floats for AVX2.
#include "portable_fallback/fast/float_binary_avx2_kernel.h"

#if defined(__AVX2__)

#define ARENITE_VECTOR_BYTES 32
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_binary_loops.h"

namespace arenite {

void float_binary_avx2(FloatBinary function, const FloatBinaryRun& run) { combine(function, run); }

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

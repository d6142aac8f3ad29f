// Compiles the functions of two floats for SSE2 or NEON, which the compiler takes without a
// flag.
#include "portable_fallback/fast/float_binary_base_kernel.h"

#if defined(__SSE2__) || defined(__aarch64__)

#define ARENITE_VECTOR_BYTES 16
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_binary_loops.h"

namespace arenite {

void float_binary_base(FloatBinary function, const FloatBinaryRun& run) { combine(function, run); }

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

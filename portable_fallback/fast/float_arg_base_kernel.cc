// Compiles the searches for the best of floats for SSE2 or NEON, which the compiler takes without a
// flag.
#include "portable_fallback/fast/float_arg_base_kernel.h"

#if defined(__SSE2__) || defined(__aarch64__)

#define ARENITE_VECTOR_BYTES 16
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_arg_loops.h"

namespace arenite {

void find_best_floats_base(const FloatArgRun& run, uint32_t* places) {
  find_best_floats(run, places);
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

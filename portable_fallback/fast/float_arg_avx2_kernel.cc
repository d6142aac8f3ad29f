// Compiles the searches for the best of floats for AVX2.
#include "portable_fallback/fast/float_arg_avx2_kernel.h"

#if defined(__AVX2__)

#define ARENITE_VECTOR_BYTES 32
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_arg_loops.h"

namespace arenite {

void find_best_floats_avx2(const FloatArgRun& run, uint32_t* places) {
  find_best_floats(run, places);
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

// Compiles the pools of floats for AVX2.
#include "portable_fallback/fast/float_pool_avx2_kernel.h"

#if defined(__AVX2__)

#define ARENITE_VECTOR_BYTES 32
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_pool_loops.h"

namespace arenite {

void float_max_pool_avx2(const FloatPoolRun& run) { pool_outputs<Greatest>(run); }

void float_average_pool_avx2(const FloatPoolRun& run) { pool_outputs<Mean>(run); }

void float_max_rows_avx2(const FloatPoolRun& run) { pool_rows<Greatest>(run); }

void float_average_rows_avx2(const FloatPoolRun& run) { pool_rows<Mean>(run); }

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

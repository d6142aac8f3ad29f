// Compiles the pools of floats for SSE2 or NEON, which the compiler takes without a flag.
#include "portable_fallback/fast/float_pool_base_kernel.h"

#if defined(__SSE2__) || defined(__aarch64__)

#define ARENITE_VECTOR_BYTES 16
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_pool_loops.h"

namespace arenite {

void float_max_pool_base(const FloatPoolRun& run) { pool_outputs<Greatest>(run); }

void float_average_pool_base(const FloatPoolRun& run) { pool_outputs<Mean>(run); }

void float_max_rows_base(const FloatPoolRun& run) { pool_rows<Greatest>(run); }

void float_average_rows_base(const FloatPoolRun& run) { pool_rows<Mean>(run); }

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

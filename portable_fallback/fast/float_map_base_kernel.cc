// Compiles the functions of single floats for SSE2 or NEON, which the compiler takes without a
// flag.
#include "portable_fallback/fast/float_map_base_kernel.h"

#if defined(__SSE2__) || defined(__aarch64__)

#define ARENITE_VECTOR_BYTES 16
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_map_loops.h"
#include "portable_fallback/fast/float_softmax_loops.h"

namespace arenite {

void float_map_base(FloatMap map, const FloatMapRun& run) { map_with(map, run); }

void float_softmax_base(const FloatSoftmaxRow& row) { softmax_row(row); }
void float_softmax_rows_base(const FloatSoftmaxRows& rows) { softmax_rows(rows); }

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

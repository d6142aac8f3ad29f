// Compiles the functions of single floats for AVX2.
#include "portable_fallback/fast/float_map_avx2_kernel.h"

#if defined(__AVX2__)

#define ARENITE_VECTOR_BYTES 32
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_map_loops.h"
#include "portable_fallback/fast/float_softmax_loops.h"

namespace arenite {

void float_map_avx2(FloatMap map, const FloatMapRun& run) { map_with(map, run); }

void float_softmax_avx2(const FloatSoftmaxRow& row) { softmax_row(row); }
void float_softmax_rows_avx2(const FloatSoftmaxRows& rows) { softmax_rows(rows); }

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

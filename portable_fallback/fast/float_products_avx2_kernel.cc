// Compiles the tiles for AVX2: a panel is two vectors, twelve sums and three operands fill the
// registers.
#include "portable_fallback/fast/float_products_avx2_kernel.h"

#if defined(__AVX2__)

#define ARENITE_VECTOR_BYTES 32
#define ARENITE_TILE_ROWS kTileRowsAvx2
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_depthwise.h"
#include "portable_fallback/fast/float_matrices_loops.h"
#include "portable_fallback/fast/float_shares.h"
#include "portable_fallback/fast/float_tiles.h"

namespace arenite {

void float_products_avx2(const FloatProducts& products, const FloatRange& range) {
  Products(products, range).run();
}

void float_widen_avx2(const void* from, WeightType type, size_t count, float* to) {
  widen(from, type, count, to);
}

void float_matrices_avx2(const FloatMatrices& matrices) { add_matrices(matrices); }

void float_shares_avx2(float* scores, uint32_t count, float scale) {
  share_scores(scores, count, scale);
}

void float_depthwise_avx2(const FloatProducts& products, const FloatRange& range) {
  add_lines<false>(products, range);
}

void float_groups_avx2(const FloatProducts& products, const FloatRange& range) {
  add_lines<true>(products, range);
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

// Compiles the tiles for AVX-512: two panels are two vectors, so that 28 sums fill the
// registers.
#include "portable_fallback/fast/float_products_avx512_kernel.h"

#if defined(__AVX512F__)

#define ARENITE_VECTOR_BYTES 64
#define ARENITE_TILE_ROWS kTileRowsAvx512
#define ARENITE_TILE_PANELS 2

#include "portable_fallback/fast/float_depthwise.h"
#include "portable_fallback/fast/float_matrices_loops.h"
#include "portable_fallback/fast/float_shares.h"
#include "portable_fallback/fast/float_tiles.h"

namespace arenite {

void float_products_avx512(const FloatProducts& products, const FloatRange& range) {
  Products(products, range).run();
}

void float_widen_avx512(const void* from, WeightType type, size_t count, float* to) {
  widen(from, type, count, to);
}

void float_matrices_avx512(const FloatMatrices& matrices) { add_matrices(matrices); }

void float_shares_avx512(float* scores, uint32_t count, float scale) {
  share_scores(scores, count, scale);
}

void float_depthwise_avx512(const FloatProducts& products, const FloatRange& range) {
  add_lines<false>(products, range);
}

void float_groups_avx512(const FloatProducts& products, const FloatRange& range) {
  add_lines<true>(products, range);
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

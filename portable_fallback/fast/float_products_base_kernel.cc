// Compiles the tiles for SSE2 or NEON, which the compiler takes without a flag: a panel is four
// vectors.
#include "portable_fallback/fast/float_products_base_kernel.h"

#if defined(__SSE2__) || defined(__aarch64__)

#define ARENITE_VECTOR_BYTES 16
#define ARENITE_TILE_ROWS kTileRowsBase
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_depthwise.h"
#include "portable_fallback/fast/float_matrices_loops.h"
#include "portable_fallback/fast/float_shares.h"
#include "portable_fallback/fast/float_tiles.h"

namespace arenite {

void float_products_base(const FloatProducts& products, const FloatRange& range) {
  Products(products, range).run();
}

void float_widen_base(const void* from, WeightType type, size_t count, float* to) {
  widen(from, type, count, to);
}

void float_matrices_base(const FloatMatrices& matrices) { add_matrices(matrices); }

void float_shares_base(float* scores, uint32_t count, float scale) {
  share_scores(scores, count, scale);
}

void float_depthwise_base(const FloatProducts& products, const FloatRange& range) {
  add_lines<false>(products, range);
}

void float_groups_base(const FloatProducts& products, const FloatRange& range) {
  add_lines<true>(products, range);
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

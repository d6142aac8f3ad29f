// Adds float products with AVX-512.
#pragma once

#include "portable_fallback/fast/float_matrices.h"
#include "portable_fallback/fast/float_products.h"

namespace arenite {

inline constexpr uint32_t kTileRowsAvx512 = 14;

void float_products_avx512(const FloatProducts& products, const FloatRange& range);
void float_widen_avx512(const void* from, WeightType type, size_t count, float* to);
void float_matrices_avx512(const FloatMatrices& matrices);
// See float_shares.h.
void float_shares_avx512(float* scores, uint32_t count, float scale);
// Products of convolutions whose columns each read the channel of their number alone; the range is
// of whole lines and all columns, x_c and y_c are 1, and no weights are in panels.
void float_depthwise_avx512(const FloatProducts& products, const FloatRange& range);
// The same of columns that each read the channels of their group, of 2, 4 or 8 channels and as many
// columns, of which a vector has one or more and y has at least a vector: whole vectors where a
// residual is added. Or of columns that read one channel each, columns_of_channel the same, where x
// has at least a vector of channels.
void float_groups_avx512(const FloatProducts& products, const FloatRange& range);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

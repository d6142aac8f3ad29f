// Adds float products with the vectors that every machine of an architecture has.
#pragma once

#include "portable_fallback/fast/float_matrices.h"
#include "portable_fallback/fast/float_products.h"

namespace arenite {

// SSE2 has half the registers of NEON.
#ifdef __aarch64__
inline constexpr uint32_t kTileRowsBase = 6;
#else
inline constexpr uint32_t kTileRowsBase = 2;
#endif

void float_products_base(const FloatProducts& products, const FloatRange& range);
void float_widen_base(const void* from, WeightType type, size_t count, float* to);
void float_matrices_base(const FloatMatrices& matrices);
// See float_shares.h.
void float_shares_base(float* scores, uint32_t count, float scale);
// Products of convolutions whose columns each read the channel of their number alone; the range is
// of whole lines and all columns, x_c and y_c are 1, and no weights are in panels.
void float_depthwise_base(const FloatProducts& products, const FloatRange& range);
// The same of columns that each read the channels of their group, of 2, 4 or 8 channels and as many
// columns, of which a vector has one or more and y has at least a vector: whole vectors where a
// residual is added. Or of columns that read one channel each, columns_of_channel the same, where x
// has at least a vector of channels.
void float_groups_base(const FloatProducts& products, const FloatRange& range);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

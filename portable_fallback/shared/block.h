// Sixteen outputs at once: the one inner loop of convolutions and matrix products.
//
// Weights are float32, or 16-bit floats widened as they are read: these sums are the same that
// float32 weights of those numbers give.
//
// Whatever the strides, each output adds its products one after another in the order of k, so all
// forms give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"
#include "core/step.h"
#include "core/types.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {

inline constexpr uint32_t kBlock = kPanelWidth;

constexpr uint32_t blocks_of(uint32_t count) { return count / kBlock + (count % kBlock != 0); }

// `count` inner products: acc[j] += sum over k of x[k * x_k] * w[k * w_k + j * w_n].
struct BlockProduct {
  size_t x_k;  // strides in elements
  size_t w_k, w_n;
  uint32_t k;
  uint32_t count;  // outputs that exist, <= kBlock
  bool full;       // 16 neighboring weights may be read: w_n is 1 and all 16 exist (or are padding)
};

// How weights whose elements are of type W are read: by a pointer, or by what acts like one.
template <typename W>
struct WeightsOf {
  using Reader = Src<W>;
  static constexpr bool kInRows = false;  // read as if they lay in rows, however they do
  static Reader from(const Tensor& w, size_t at) { return w.template read<W>() + at; }
};
template <typename W>
using Weights = typename WeightsOf<W>::Reader;

// Adds the products of kCount outputs, and keeps their sums in registers.
template <uint32_t kCount, typename Reader>
void add_few(const BlockProduct& block, Src<float> x, Reader w, float* acc) {
  const size_t w_n = block.w_n;
  float sums[kCount];
#pragma GCC unroll 4
  for (uint32_t j = 0; j < kCount; ++j) sums[j] = acc[j];
  for (uint32_t k = block.k; k != 0; --k, x += block.x_k, w += block.w_k) {
    const float v = *x;
#pragma GCC unroll 4
    for (uint32_t j = 0; j < kCount; ++j) sums[j] += v * float{w[j * w_n]};
  }
#pragma GCC unroll 4
  for (uint32_t j = 0; j < kCount; ++j) acc[j] = sums[j];
}

template <typename Reader>
void add_products(const BlockProduct& block, Src<float> x, Reader w, float* acc) {
  if (block.full) {
    // Unrolled by order: only then do the sums stay in registers.
    float sums[kBlock];
#pragma GCC unroll 16
    for (uint32_t j = 0; j < kBlock; ++j) sums[j] = acc[j];
    for (uint32_t k = block.k; k != 0; --k, x += block.x_k, w += block.w_k) {
      const float v = *x;
#pragma GCC unroll 16
      for (uint32_t j = 0; j < kBlock; ++j) sums[j] += v * float{w[j]};
    }
#pragma GCC unroll 16
    for (uint32_t j = 0; j < kBlock; ++j) acc[j] = sums[j];
  } else {
    uint32_t j = 0;
    for (; j + 4 <= block.count; j += 4) add_few<4>(block, x, w + j * block.w_n, acc + j);
    for (; j < block.count; ++j) add_few<1>(block, x, w + j * block.w_n, acc + j);
  }
}

// Whether weights have the elements that a form reads: float32, or 16-bit floats.
inline bool reads_float32_weights(const Step& step) {
  return step.input(1).dtype() == DType::kFloat32;
}
inline bool reads_half_weights(const Step& step) { return !reads_float32_weights(step); }

// Calls run.operator()<W>() with the type of 16-bit floats.
template <typename Run>
Status for_half_weights(DType type, Run run) {
  return type == DType::kFloat16 ? run.template operator()<SmallFloat<kFloat16Format>>()
                                 : run.template operator()<SmallFloat<kBfloat16Format>>();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Turns floats of one scale into integers of 8 bits, so many at once, whatever lies between them;
// compiled for each instruction set.
#pragma once

#include <cstring>

#include "portable_fallback/fast/float_vectors.h"
#include "portable_fallback/fast/integer_quantize.h"

namespace arenite {
namespace {

// Beyond all results, whatever the zero point.
inline constexpr float kQuotientMost = 1024.0f;

typedef int32_t WholeNumbers __attribute__((vector_size(kVectorBytes)));

// Stores the lowest byte of each number. By one instruction: what copies the bytes then would wait
// for narrower ones. GCC 12 takes vectors apart where these are converted.
[[gnu::always_inline]] inline void store_bytes(const WholeNumbers (&numbers)[4], uint8_t* y) {
#if defined(__AVX2__) && ARENITE_VECTOR_BYTES == 32
  const auto at = [&](uint32_t i) { return __builtin_bit_cast(__m256i, numbers[i] & 0xff); };
  const __m256i mixed =
      _mm256_packus_epi16(_mm256_packs_epi32(at(0), at(1)), _mm256_packs_epi32(at(2), at(3)));
  const __m256i bytes =
      _mm256_permutevar8x32_epi32(mixed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
#elif defined(__x86_64__) && ARENITE_VECTOR_BYTES == 16
  const auto at = [&](uint32_t i) { return __builtin_bit_cast(__m128i, numbers[i] & 0xff); };
  const __m128i bytes =
      _mm_packus_epi16(_mm_packs_epi32(at(0), at(1)), _mm_packs_epi32(at(2), at(3)));
#elif defined(__aarch64__) && ARENITE_VECTOR_BYTES == 16
  const auto pairs = [&](uint32_t i) {
    return vcombine_u16(vmovn_u32(__builtin_bit_cast(uint32x4_t, numbers[i])),
                        vmovn_u32(__builtin_bit_cast(uint32x4_t, numbers[i + 1])));
  };
  const uint8x16_t bytes = vcombine_u8(vmovn_u16(pairs(0)), vmovn_u16(pairs(2)));
#else
  uint8_t bytes[4 * kLanes];
  for (uint32_t i = 0; i < 4 * kLanes; ++i) {
    bytes[i] = static_cast<uint8_t>(numbers[i / kLanes][i % kLanes]);
  }
#endif
  std::memcpy(y, &bytes, sizeof bytes);
}

// The nearest whole numbers of quotients within kQuotientMost.
template <bool kHalfEven>
[[gnu::always_inline]] inline WholeNumbers nearest(Vector quotients) {
  if constexpr (kHalfEven) {
    // Adding it leaves no bits behind the point, of numbers of either sign.
    constexpr float kRounder = 12582912.0f;
    return __builtin_convertvector((quotients + kRounder) - kRounder, WholeNumbers);
  }
  const auto whole = __builtin_convertvector(quotients, WholeNumbers);
  const Vector rest = quotients - __builtin_convertvector(whole, Vector);
  // A comparison that holds is -1.
  return whole - (rest >= 0.5f) + (rest <= -0.5f);
}

template <bool kHalfEven>
inline void quantize_piece(const QuantizeRun& row, const float* x, int32_t low, int32_t high,
                           uint8_t* y) {
  const float scale = row.scale;
  const int32_t zero_point = row.zero_point;
  for (uint32_t i = 0; i < kQuantizeAtOnce; i += 4 * kLanes) {
    WholeNumbers numbers[4];
#pragma GCC unroll 4
    for (uint32_t v = 0; v < 4; ++v) {
      const Vector quotients = load(x + i + v * kLanes) / scale;
      const Vector limited =
          greater_of(Vector{} - kQuotientMost, less_of(Vector{} + kQuotientMost, quotients));
      // NaN becomes the zero point.
      // NOLINTNEXTLINE(misc-redundant-expression)
      const Vector known = limited == limited ? limited : Vector{};
      const WholeNumbers moved = nearest<kHalfEven>(known) + zero_point;
      const WholeNumbers raised = moved < low ? WholeNumbers{} + low : moved;
      numbers[v] = raised > high ? WholeNumbers{} + high : raised;
    }
    store_bytes(numbers, y + i);
  }
}

template <bool kHalfEven>
void quantize_elements(const QuantizeRun& row) {
  const int32_t low = row.is_unsigned ? 0 : -128, high = low + 255;
  const bool x_joined = row.x_step == 1, y_joined = row.y_step == 1;
  Src<float> x = row.x;
  Dst<uint8_t> y = row.y;
  float few[kQuantizeAtOnce] = {};
  uint8_t to[kQuantizeAtOnce];
  for (uint32_t left = row.count; left != 0;) {
    const uint32_t count = left < kQuantizeAtOnce ? left : kQuantizeAtOnce;
    const float* from = few;
    if (x_joined && count == kQuantizeAtOnce) {
      from = x;
    } else {
      for (uint32_t i = 0; i < count; ++i) few[i] = x[static_cast<ptrdiff_t>(i) * row.x_step];
    }
    quantize_piece<kHalfEven>(row, from, low, high, to);
    if (y_joined && count == kQuantizeAtOnce) {
      put(y, static_cast<const uint8_t*>(to), kQuantizeAtOnce);
    } else {
      for (uint32_t i = 0; i < count; ++i) y[static_cast<ptrdiff_t>(i) * row.y_step] = to[i];
    }
    x += static_cast<ptrdiff_t>(count) * row.x_step;
    y += static_cast<ptrdiff_t>(count) * row.y_step;
    left -= count;
  }
}

inline void quantize_row(const QuantizeRun& row) {
  row.half_even ? quantize_elements<true>(row) : quantize_elements<false>(row);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

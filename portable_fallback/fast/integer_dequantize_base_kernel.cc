// Widens sixteen integers at a time: bytes of either sign become words by what lies above them.
#include "portable_fallback/fast/integer_dequantize_base_kernel.h"

#if defined(__SSE2__) || defined(__aarch64__)

#define ARENITE_VECTOR_BYTES 16
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_vectors.h"

namespace arenite {
namespace {

typedef int32_t Numbers __attribute__((vector_size(kVectorBytes)));

// The sixteen bytes at `from`, in order. GCC 12 takes vectors apart where these are converted.
template <bool kSigned>
[[gnu::always_inline]] inline void widen(const std::byte* from, Numbers (&to)[4]) {
#if defined(__SSE2__)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  const __m128i zero = _mm_setzero_si128();
  const __m128i above = kSigned ? _mm_cmpgt_epi8(zero, bytes) : zero;
  const auto put = [&](uint32_t i, __m128i halves) {
    const __m128i sign = kSigned ? _mm_srai_epi16(halves, 15) : zero;
    to[i] = __builtin_bit_cast(Numbers, _mm_unpacklo_epi16(halves, sign));
    to[i + 1] = __builtin_bit_cast(Numbers, _mm_unpackhi_epi16(halves, sign));
  };
  put(0, _mm_unpacklo_epi8(bytes, above));
  put(2, _mm_unpackhi_epi8(bytes, above));
#else
  const uint8x16_t bytes = vld1q_u8(reinterpret_cast<const uint8_t*>(from));
  const auto put = [&](uint32_t i, uint8x8_t half) {
    const int16x8_t halves =
        kSigned ? vmovl_s8(vreinterpret_s8_u8(half)) : vreinterpretq_s16_u16(vmovl_u8(half));
    to[i] = __builtin_bit_cast(Numbers, vmovl_s16(vget_low_s16(halves)));
    to[i + 1] = __builtin_bit_cast(Numbers, vmovl_s16(vget_high_s16(halves)));
  };
  put(0, vget_low_u8(bytes));
  put(2, vget_high_u8(bytes));
#endif
}

template <bool kSigned>
void dequantize(const DequantizeRow& row) {
  const float scale = row.scale;
  const int32_t zero_point = row.zero_point;
  Src<std::byte> x = row.x;
  Dst<float> y = as<float>(row.y);
  for (uint32_t left = row.count; left != 0;) {
    const uint32_t count = left < kDequantizeAtOnce ? left : kDequantizeAtOnce;
    std::byte few[kDequantizeAtOnce] = {};
    float last[kDequantizeAtOnce];
    const bool whole = count == kDequantizeAtOnce;
    if (!whole) take<std::byte>(few, x, count);
    Numbers numbers[4];
    widen<kSigned>(whole ? x : few, numbers);
    float* to = whole ? y : last;
#pragma GCC unroll 4
    for (uint32_t v = 0; v < 4; ++v) {
      store(to + v * kLanes, __builtin_convertvector(numbers[v] - zero_point, Vector) * scale);
    }
    if (!whole) put<float>(y, last, count);
    x += count;
    y += count;
    left -= count;
  }
}

}  // namespace

void dequantize_row_base(const DequantizeRow& row) {
  row.is_unsigned ? dequantize<false>(row) : dequantize<true>(row);
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

// Looks 32 numbers up in each sixteenth of the table: VPSHUFB gives 0 for those of other
// sixteenths, whose highest bit a saturated sum sets.
#include "portable_fallback/fast/integer_lookup_avx2_kernel.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include <cstring>

namespace arenite {
namespace {

constexpr uint32_t kAtOnce = 32;
constexpr uint32_t kTable = 256;
constexpr uint32_t kSixteenths = 16;

__m256i look_up(const uint8_t* table, __m256i places) {
  const __m256i to_highest = _mm256_set1_epi8(0x70);
  __m256i found = _mm256_setzero_si256();
#pragma GCC unroll 16
  for (uint32_t i = 0; i < kSixteenths; ++i) {
    const __m128i sixteenth =
        _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(table + i * 16)));
    const __m256i in_it = _mm256_xor_si256(places, _mm256_set1_epi8(static_cast<char>(i * 16)));
    found = _mm256_or_si256(found, _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(sixteenth),
                                                       _mm256_adds_epu8(in_it, to_highest)));
  }
  return found;
}

}  // namespace

void look_up_avx2(const ByteTable& table, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  uint8_t values[kTable];
  const auto flip = static_cast<uint8_t>(table.is_unsigned ? 0 : 0x80);
  take(static_cast<std::byte*>(static_cast<void*>(values)), table.values, kTable);
  const __m256i flips = _mm256_set1_epi8(static_cast<char>(flip));
  for (; count >= kAtOnce; count -= kAtOnce, x += kAtOnce, y += kAtOnce) {
    __m256i numbers;
    take(static_cast<std::byte*>(static_cast<void*>(&numbers)), x, kAtOnce);
    const __m256i found = look_up(values, _mm256_xor_si256(numbers, flips));
    put(y, static_cast<const std::byte*>(static_cast<const void*>(&found)), kAtOnce);
  }
  for (; count != 0; --count, x += 1, y += 1) {
    const std::byte number = *x;
    *y = static_cast<std::byte>(values[std::to_integer<uint8_t>(number) ^ flip]);
  }
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

// A byte and its place are one number of 16 bits: the byte above, and below it the place, which
// decides between equals. The greatest of up to 256 such numbers is found eight at a time.
#include "portable_fallback/fast/integer_arg_base_kernel.h"

#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__SSE2__) || defined(__aarch64__)

namespace arenite {
namespace {

constexpr uint32_t kBytes = 16;
constexpr uint32_t kPlaces = 256;  // that a byte can tell apart
typedef uint8_t Bytes __attribute__((vector_size(kBytes)));
typedef int16_t Keys __attribute__((vector_size(kBytes)));

inline Bytes load_bytes(const void* from) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

// The first eight bytes from `first` on, then those from `second` on.
inline Bytes load_halves(const std::byte* first, const std::byte* second) {
  uint64_t halves[2];
  std::memcpy(&halves[0], first, sizeof halves[0]);
  std::memcpy(&halves[1], second, sizeof halves[1]);
  return load_bytes(halves);
}

inline Keys greater(Keys a, Keys b) {
#if defined(__SSE2__)
  return __builtin_bit_cast(
      Keys, _mm_max_epi16(__builtin_bit_cast(__m128i, a), __builtin_bit_cast(__m128i, b)));
#else
  return __builtin_bit_cast(
      Keys, vmaxq_s16(__builtin_bit_cast(int16x8_t, a), __builtin_bit_cast(int16x8_t, b)));
#endif
}

// Numbers whose upper bytes are `upper` and whose lower ones are `lower`: the greater of each of
// the first eight and the last eight.
inline Keys keys_of(Bytes upper, Bytes lower) {
#if defined(__SSE2__)
  const auto a = __builtin_bit_cast(__m128i, lower), b = __builtin_bit_cast(__m128i, upper);
  return greater(__builtin_bit_cast(Keys, _mm_unpacklo_epi8(a, b)),
                 __builtin_bit_cast(Keys, _mm_unpackhi_epi8(a, b)));
#else
  const auto a = __builtin_bit_cast(uint8x16_t, lower), b = __builtin_bit_cast(uint8x16_t, upper);
  return greater(__builtin_bit_cast(Keys, vzip1q_u8(a, b)),
                 __builtin_bit_cast(Keys, vzip2q_u8(a, b)));
#endif
}

inline int32_t greatest_of(Keys keys) {
#if defined(__SSE2__)
  auto v = __builtin_bit_cast(__m128i, keys);
  v = _mm_max_epi16(v, _mm_srli_si128(v, 8));
  v = _mm_max_epi16(v, _mm_srli_si128(v, 4));
  v = _mm_max_epi16(v, _mm_srli_si128(v, 2));
  return static_cast<int16_t>(_mm_extract_epi16(v, 0));
#else
  return vmaxvq_s16(__builtin_bit_cast(int16x8_t, keys));
#endif
}

// `count`: from 8 to kPlaces neighbors.
inline void find_in_block(const ByteOrder& order, const std::byte* x, uint32_t place,
                          uint32_t count, BestByte& best) {
  // Keys are signed; of equals the first is the greatest where its place is counted down.
  const auto flip = static_cast<uint8_t>(order.flip ^ 0x80);
  const auto down = static_cast<uint8_t>(order.last ? 0 : 0xff);
  const Bytes lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const auto keys_at = [&](Bytes bytes, Bytes places) {
    return keys_of(bytes ^ flip, places ^ down);
  };
  Keys keys;
  if (count < kBytes) {
    const uint32_t second = count - kBytes / 2;
    const Bytes behind = {0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8};
    const auto moved = static_cast<uint8_t>(second);
    const Bytes upper = behind != 0 ? Bytes{} + moved : Bytes{};
    keys = keys_at(load_halves(x, x + second), lanes - behind + upper);
  } else {
    keys = keys_at(load_bytes(x), lanes);
    for (uint32_t i = kBytes; i < count; i += kBytes) {
      const uint32_t at = count - i < kBytes ? count - kBytes : i;
      keys = greater(keys, keys_at(load_bytes(x + at), lanes + static_cast<uint8_t>(at)));
    }
  }
  const int32_t most = greatest_of(keys);
  const int32_t flipped = (most >> 8) + 0x80;
  if (flipped + (order.last ? 1 : 0) > best.flipped) {
    best = {flipped, place + ((static_cast<uint32_t>(most) & 0xff) ^ down)};
  }
}

}  // namespace

void find_best_base(const ByteOrder& order, Src<std::byte> x, ptrdiff_t step, uint32_t place,
                    uint32_t count, BestByte& best) {
  constexpr uint32_t kLeast = kBytes / 2;
  while (step == 1 && count >= kLeast) {
    const uint32_t block = count < kPlaces ? count : kPlaces;
    find_in_block(order, x, place, block, best);
    x += block;
    place += block;
    count -= block;
  }
  const int32_t more = order.last ? 1 : 0;  // an equal counts as better
  for (; count != 0; --count, ++place, x += step) {
    const auto flipped = static_cast<int32_t>(static_cast<uint32_t>(*x) ^ order.flip);
    if (flipped + more > best.flipped) best = {flipped, place};
  }
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

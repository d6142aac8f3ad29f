// Sixteen sums, and what they are made of, with AVX-512 and its VNNI: what integer_panels.h and
// integer_columns.h are compiled with.
#pragma once

#include "portable_fallback/fast/integer_finish_avx512.h"

#if defined(__AVX512VNNI__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__)

namespace arenite {
namespace {

// The products of so many numbers are added at once to each of sixteen sums.
inline constexpr uint32_t kGroup = 4;
using Groups = __m512i;
using Bytes = __m128i;  // 16
using Numbers = Bytes;  // those of x

// Eight places of two panels fill the registers.
inline constexpr uint32_t kTileRows = 8, kTilePanels = 2;

using LaneRow = ByteRow;

inline Sixteen all_of(int32_t number) { return sixteen_of(_mm512_set1_epi32(number)); }
inline Sixteen load_sums(const int32_t* from, uint32_t count) {
  return sixteen_of(_mm512_maskz_loadu_epi32(first_of_sixteen(count), from));
}
inline void store_sums(int32_t* to, Sixteen sums) { _mm512_storeu_si512(to, words_of(sums)); }
inline Sixteen sum_of(Sixteen a, Sixteen b) {
  return sixteen_of(_mm512_add_epi32(words_of(a), words_of(b)));
}
inline Sixteen times(Sixteen a, int32_t number) {
  return sixteen_of(_mm512_mullo_epi32(words_of(a), _mm512_set1_epi32(number)));
}

inline Groups load_groups(const void* from) { return _mm512_loadu_si512(from); }
// Loads weights that are as wide as the numbers of x.
inline Groups load_wide_groups(const void* from) { return load_groups(from); }
inline Groups same_group(const LaneRow::Number* group) {
  int32_t bytes;
  std::memcpy(&bytes, group, sizeof(bytes));
  return _mm512_set1_epi32(bytes);
}
inline Groups ones() { return _mm512_set1_epi8(1); }
inline Sixteen with_products(Sixteen sums, Groups x, Groups w) {
  return sixteen_of(_mm512_dpbusd_epi32(words_of(sums), x, w));
}

inline Bytes no_bytes() { return _mm_setzero_si128(); }
inline Numbers same_numbers(int32_t number) { return _mm_set1_epi8(static_cast<char>(number)); }
inline Bytes load_bytes(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}
// The first `count` of 16, then zeros; of what lies behind them nothing is read.
inline Bytes load_bytes(const void* from, uint32_t count) {
  return _mm_maskz_loadu_epi8(first_of_sixteen(count), from);
}
inline void store_bytes(void* to, Bytes bytes) {
  _mm_storeu_si128(static_cast<__m128i*>(to), bytes);
}
inline Numbers numbers_of(Bytes bytes, const LaneRow& row) {
  return _mm_xor_si128(bytes, same_numbers(row.flip));
}
// Byte at[i] in place i.
inline Bytes chosen(Bytes bytes, Bytes at) { return _mm_shuffle_epi8(bytes, at); }

// Puts columns `column` and the next three by four fours of weights, or fewer, into a panel.
inline void pack_fours(const Bytes (&columns)[4], uint32_t fours, uint32_t column, uint8_t* panel) {
  const __m128i a = _mm_unpacklo_epi32(columns[0], columns[1]);
  const __m128i b = _mm_unpacklo_epi32(columns[2], columns[3]);
  const __m128i c = _mm_unpackhi_epi32(columns[0], columns[1]);
  const __m128i d = _mm_unpackhi_epi32(columns[2], columns[3]);
  const __m128i packed[4] = {_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b),
                             _mm_unpacklo_epi64(c, d), _mm_unpackhi_epi64(c, d)};
  for (uint32_t f = 0; f < 4 && f < fours; ++f) {
    store_bytes(panel + f * 64 + column * 4, packed[f]);
  }
}

// Four lines of 16 channels to one column.
inline void put_column(const Bytes (&lines)[4], uint8_t* to) {
  const __m128i a = _mm_unpacklo_epi8(lines[0], lines[1]);
  const __m128i b = _mm_unpackhi_epi8(lines[0], lines[1]);
  const __m128i c = _mm_unpacklo_epi8(lines[2], lines[3]);
  const __m128i d = _mm_unpackhi_epi8(lines[2], lines[3]);
  const __m128i packed[4] = {_mm_unpacklo_epi16(a, c), _mm_unpackhi_epi16(a, c),
                             _mm_unpacklo_epi16(b, d), _mm_unpackhi_epi16(b, d)};
  for (uint32_t i = 0; i < 4; ++i) {
    store_bytes(to + i * 16, packed[i]);
  }
}

// Channels of a line, by sixteens. Each four of them goes to the lane in which its column ends.
struct TwoBlocks {
  using Numbers = __m256i;
  static constexpr uint32_t kBlocks = 2;
  static Numbers load(const void* from, uint32_t count) {
    return _mm256_maskz_loadu_epi8(~uint32_t{0} >> (32 - count), from);
  }
  static Numbers joined(const Bytes (&blocks)[2]) { return _mm256_set_m128i(blocks[1], blocks[0]); }
  static Numbers all(int32_t number) { return _mm256_set1_epi8(static_cast<char>(number)); }
  static Numbers numbers(Numbers bytes, const LaneRow& row) {
    return _mm256_xor_si256(bytes, all(row.flip));
  }
  static void put(const Numbers (&lines)[4], uint8_t* to) {
    const __m256i order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
    __m256i x[4];
    for (uint32_t i = 0; i < 4; ++i) x[i] = _mm256_permutevar8x32_epi32(lines[i], order);
    const __m256i a = _mm256_unpacklo_epi8(x[0], x[1]), b = _mm256_unpackhi_epi8(x[0], x[1]);
    const __m256i c = _mm256_unpacklo_epi8(x[2], x[3]), d = _mm256_unpackhi_epi8(x[2], x[3]);
    auto* columns = static_cast<__m256i*>(static_cast<void*>(to));
    _mm256_storeu_si256(columns, _mm256_unpacklo_epi16(a, c));
    _mm256_storeu_si256(columns + 1, _mm256_unpackhi_epi16(a, c));
    _mm256_storeu_si256(columns + 2, _mm256_unpacklo_epi16(b, d));
    _mm256_storeu_si256(columns + 3, _mm256_unpackhi_epi16(b, d));
  }
};
struct FourBlocks {
  using Numbers = __m512i;
  static constexpr uint32_t kBlocks = 4;
  static Numbers load(const void* from, uint32_t count) {
    return _mm512_maskz_loadu_epi8(~uint64_t{0} >> (64 - count), from);
  }
  static Numbers joined(const Bytes (&blocks)[4]) {
    const __m512i first = _mm512_castsi256_si512(_mm256_set_m128i(blocks[1], blocks[0]));
    return _mm512_inserti64x4(first, _mm256_set_m128i(blocks[3], blocks[2]), 1);
  }
  static Numbers all(int32_t number) { return _mm512_set1_epi8(static_cast<char>(number)); }
  static Numbers numbers(Numbers bytes, const LaneRow& row) {
    return _mm512_xor_si512(bytes, all(row.flip));
  }
  static void put(const Numbers (&lines)[4], uint8_t* to) {
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512i x[4];
    for (uint32_t i = 0; i < 4; ++i) x[i] = _mm512_permutexvar_epi32(order, lines[i]);
    const __m512i a = _mm512_unpacklo_epi8(x[0], x[1]), b = _mm512_unpackhi_epi8(x[0], x[1]);
    const __m512i c = _mm512_unpacklo_epi8(x[2], x[3]), d = _mm512_unpackhi_epi8(x[2], x[3]);
    _mm512_storeu_si512(to, _mm512_unpacklo_epi16(a, c));
    _mm512_storeu_si512(to + 64, _mm512_unpackhi_epi16(a, c));
    _mm512_storeu_si512(to + 128, _mm512_unpacklo_epi16(b, d));
    _mm512_storeu_si512(to + 192, _mm512_unpackhi_epi16(b, d));
  }
};

// Calls visit<Blocks>() with what so many channels are best made with, of OneBlock and those above.
// The copy that is watched (docs/decisions/0029-watched-forms.md) makes sixteen at a time, as NEON
// does: the safe distance of the form is that of sixteen, and more at a time need less.
struct OneBlock;
template <typename Visit>
inline uint32_t with_blocks([[maybe_unused]] uint32_t channels, const Visit& visit) {
#ifndef __SANITIZE_THREAD__
  if (channels > 32) return visit.template operator()<FourBlocks>();
  if (channels > 16) return visit.template operator()<TwoBlocks>();
#endif
  return visit.template operator()<OneBlock>();
}

}  // namespace
}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

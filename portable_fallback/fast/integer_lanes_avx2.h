// Has sixteen sums and their factors in vectors of AVX2, for integer_panels.h and
// integer_columns.h. Numbers of x less their zero point are 16 bits wide, and so are weights when
// they are multiplied: VPMADDWD adds the products of pairs.
//
//   a four of a panel: k 0 and 1 of columns 0, 1, ... 15, then k 2 and 3 of the same
#pragma once

#include "portable_fallback/fast/integer_finish_sixteen_avx2.h"
#include "portable_fallback/fast/integer_one_block.h"

#if defined(__AVX2__)

namespace arenite {
namespace {

using LaneRow = WideRow;

// The products of so many numbers are added at once to each of sixteen sums.
inline constexpr uint32_t kGroup = 2;
struct Groups {
  __m256i first, last;
};
using Bytes = __m128i;    // 16
using Numbers = __m256i;  // 16

// Four places of one panel fill the registers.
inline constexpr uint32_t kTileRows = 4, kTilePanels = 1;

inline Sixteen all_of(int32_t number) {
  const EightSums sums = sums_of(_mm256_set1_epi32(number));
  return {sums, sums};
}
inline Sixteen load_sums(const int32_t* from, uint32_t count) {
  return {sums_of(load_some(from, count)), sums_of(load_some(from + 8, count < 8 ? 0 : count - 8))};
}
inline void store_sums(int32_t* to, const Sixteen& sums) {
  store_words(to, words_of(sums.first));
  store_words(to + 8, words_of(sums.last));
}
inline Sixteen sum_of(const Sixteen& a, const Sixteen& b) {
  return {a.first + b.first, a.last + b.last};
}
inline Sixteen times(const Sixteen& a, int32_t number) {
  return {a.first * number, a.last * number};
}

inline Bytes load_bytes(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}
inline Numbers widened(Bytes bytes) { return _mm256_cvtepi8_epi16(bytes); }

inline Numbers same_numbers(int32_t number) {
  return _mm256_set1_epi16(static_cast<int16_t>(number));
}

inline Groups load_groups(const void* from) {
  const auto* bytes = static_cast<const int8_t*>(from);
  return {widened(load_bytes(bytes)), widened(load_bytes(bytes + 16))};
}
// Loads weights that are as wide as the numbers of x.
inline Groups load_wide_groups(const void* from) {
  const auto* vectors = static_cast<const __m256i*>(from);
  return {_mm256_loadu_si256(vectors), _mm256_loadu_si256(vectors + 1)};
}
inline Groups same_group(const LaneRow::Number* group) {
  int32_t pair;
  std::memcpy(&pair, group, sizeof(pair));
  const __m256i all = _mm256_set1_epi32(pair);
  return {all, all};
}
inline Groups ones() {
  const __m256i all = _mm256_set1_epi16(1);
  return {all, all};
}
inline EightSums with_products(EightSums sums, __m256i x, __m256i w) {
  return sums + sums_of(_mm256_madd_epi16(x, w));
}
inline Sixteen with_products(const Sixteen& sums, const Groups& x, const Groups& w) {
  return {with_products(sums.first, x.first, w.first), with_products(sums.last, x.last, w.last)};
}

// Adds products with 1, since VPMADDWD adds two of them.
inline int32_t sum_of_numbers(const LaneRow::Number* numbers, uint32_t count) {
  const __m256i one = _mm256_set1_epi16(1);
  EightSums sums = {};
  uint32_t k = 0;
  for (; k + 16 <= count; k += 16) {
    const auto* sixteen = static_cast<const __m256i*>(static_cast<const void*>(numbers + k));
    sums = with_products(sums, _mm256_loadu_si256(sixteen), one);
  }
  int32_t rest = 0;
  for (; k < count; ++k) rest += numbers[k];
  const __m256i pairs = _mm256_hadd_epi32(words_of(sums), words_of(sums));
  const __m256i fours = _mm256_hadd_epi32(pairs, pairs);
  return rest + _mm256_extract_epi32(fours, 0) + _mm256_extract_epi32(fours, 4);
}

inline Bytes no_bytes() { return _mm_setzero_si128(); }
inline Bytes load_eight(const void* from) {
  return _mm_loadl_epi64(static_cast<const __m128i*>(from));
}
// Loads the first `count` of 16, then zeros. Nothing that lies behind them is read.
inline Bytes load_bytes(const void* from, uint32_t count) {
  if (count >= 16) return load_bytes(from);
  const auto* bytes = static_cast<const uint8_t*>(from);
  if (count >= 8) {
    // The last eight are read once more, less those that are there.
    const __m128i right = _mm_cvtsi32_si128(static_cast<int32_t>(8 * (16 - count)));
    return _mm_unpacklo_epi64(load_eight(bytes),
                              _mm_srl_epi64(load_eight(bytes + (count - 8)), right));
  }
  uint64_t some = 0;
  for (uint32_t i = 0; i < count; ++i) some |= uint64_t{bytes[i]} << 8 * i;
  return _mm_cvtsi64_si128(static_cast<int64_t>(some));
}
// Returns the numbers that bytes of x stand for, less their zero point. Bytes 4 to 7 and 8 to 11
// change places, so that put_column() leaves channels in their order.
inline Numbers numbers_of(Bytes bytes, const LaneRow& row) {
  const __m128i flipped = _mm_xor_si128(bytes, _mm_set1_epi8(static_cast<char>(row.flip)));
  const __m128i ordered = _mm_shuffle_epi32(flipped, _MM_SHUFFLE(3, 1, 2, 0));
  return _mm256_add_epi16(widened(ordered), same_numbers(row.added));
}
// Returns byte at[i] in place i.
inline Bytes chosen(Bytes bytes, Bytes at) { return _mm_shuffle_epi8(bytes, at); }

// Puts columns `column` and the next three by four fours of weights, or fewer, into a panel.
inline void pack_fours(const Bytes (&columns)[4], uint32_t fours, uint32_t column, uint8_t* panel) {
  const __m128i a = _mm_unpacklo_epi16(columns[0], columns[1]);
  const __m128i b = _mm_unpacklo_epi16(columns[2], columns[3]);
  const __m128i c = _mm_unpackhi_epi16(columns[0], columns[1]);
  const __m128i d = _mm_unpackhi_epi16(columns[2], columns[3]);
  const __m128i packed[4] = {_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b),
                             _mm_unpacklo_epi32(c, d), _mm_unpackhi_epi32(c, d)};
  for (uint32_t f = 0; f < 4 && f < fours; ++f) {
    uint8_t* const to = panel + f * 64 + column * 2;
    const int64_t pairs[2] = {_mm_cvtsi128_si64(packed[f]), _mm_extract_epi64(packed[f], 1)};
    std::memcpy(to, &pairs[0], 8);
    std::memcpy(to + 32, &pairs[1], 8);
  }
}

// Makes four lines of 16 channels one column, of weights and of x.
inline void put_column(const Bytes (&lines)[4], uint8_t* to) {
  auto* vectors = static_cast<__m128i*>(static_cast<void*>(to));
  _mm_storeu_si128(vectors, _mm_unpacklo_epi8(lines[0], lines[1]));
  _mm_storeu_si128(vectors + 1, _mm_unpackhi_epi8(lines[0], lines[1]));
  _mm_storeu_si128(vectors + 2, _mm_unpacklo_epi8(lines[2], lines[3]));
  _mm_storeu_si128(vectors + 3, _mm_unpackhi_epi8(lines[2], lines[3]));
}
inline void put_column(const Numbers (&lines)[4], uint8_t* to) {
  auto* vectors = static_cast<__m256i*>(static_cast<void*>(to));
  for (uint32_t i = 0; i < 4; i += 2) {
    _mm256_storeu_si256(vectors + i, _mm256_unpacklo_epi16(lines[i], lines[i + 1]));
    _mm256_storeu_si256(vectors + i + 1, _mm256_unpackhi_epi16(lines[i], lines[i + 1]));
  }
}

}  // namespace
}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

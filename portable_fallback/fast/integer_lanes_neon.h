// Sixteen sums, and what they are made of, with NEON and its dot products: what integer_panels.h
// and integer_columns.h are compiled with.
#pragma once

#include "portable_fallback/fast/integer_finish_neon.h"
#include "portable_fallback/fast/integer_one_block.h"
#include "portable_fallback/fast/window_rows.h"

#if defined(__aarch64__) && defined(__ARM_FEATURE_DOTPROD)

namespace arenite {
namespace {

// The products of so many numbers are added at once to each of sixteen sums.
inline constexpr uint32_t kGroup = 4;
struct Groups {
  int8x16_t fours[4];
};
using Bytes = int8x16_t;
using Numbers = Bytes;  // those of x

using LaneRow = SignedRow;

// Eight places of two panels fill the registers.
inline constexpr uint32_t kTileRows = 8, kTilePanels = 2;

inline void store_sums(int32_t* to, const Sixteen& sums) {
  for (uint32_t i = 0; i < 4; ++i) vst1q_s32(to + 4 * i, sums.fours[i]);
}
inline Sixteen sum_of(const Sixteen& a, const Sixteen& b) {
  Sixteen sums;
  for (uint32_t i = 0; i < 4; ++i) sums.fours[i] = vaddq_s32(a.fours[i], b.fours[i]);
  return sums;
}
inline Sixteen times(const Sixteen& a, int32_t number) {
  Sixteen products;
  for (uint32_t i = 0; i < 4; ++i) products.fours[i] = vmulq_n_s32(a.fours[i], number);
  return products;
}

inline Groups load_groups(const void* from) {
  const auto* bytes = static_cast<const int8_t*>(from);
  return {{vld1q_s8(bytes), vld1q_s8(bytes + 16), vld1q_s8(bytes + 32), vld1q_s8(bytes + 48)}};
}
// Loads weights that are as wide as the numbers of x.
inline Groups load_wide_groups(const void* from) { return load_groups(from); }
inline Groups same_group(const LaneRow::Number* group) {
  int32_t word;
  std::memcpy(&word, group, sizeof(word));
  const int8x16_t bytes = vreinterpretq_s8_s32(vdupq_n_s32(word));
  return {{bytes, bytes, bytes, bytes}};
}
inline Groups ones() {
  const int8x16_t bytes = vdupq_n_s8(1);
  return {{bytes, bytes, bytes, bytes}};
}
inline Sixteen with_products(const Sixteen& sums, const Groups& x, const Groups& w) {
  Sixteen more;
  for (uint32_t i = 0; i < 4; ++i) {
    more.fours[i] = vdotq_s32(sums.fours[i], x.fours[i], w.fours[i]);
  }
  return more;
}

inline Bytes no_bytes() { return vdupq_n_s8(0); }
inline Numbers same_numbers(int32_t number) { return vdupq_n_s8(static_cast<int8_t>(number)); }
inline Bytes load_bytes(const void* from) { return vld1q_s8(static_cast<const int8_t*>(from)); }
// The first `count` of 16, then zeros; of what lies behind them nothing is read.
inline Bytes load_bytes(const void* from, uint32_t count) {
  if (count >= 16) return load_bytes(from);
  int8_t some[16] = {};
  std::memcpy(some, from, count);
  return vld1q_s8(some);
}
inline void store_bytes(void* to, Bytes bytes) { vst1q_s8(static_cast<int8_t*>(to), bytes); }
inline Numbers numbers_of(Bytes bytes, const LaneRow& row) {
  return veorq_s8(bytes, same_numbers(row.flip));
}
// Byte at[i] in place i.
inline Bytes chosen(Bytes bytes, Bytes at) { return vqtbl1q_s8(bytes, vreinterpretq_u8_s8(at)); }

// Puts columns `column` and the next three by four fours of weights, or fewer, into a panel.
inline void pack_fours(const Bytes (&columns)[4], uint32_t fours, uint32_t column, uint8_t* panel) {
  int32x4_t words[4];
  for (uint32_t i = 0; i < 4; ++i) words[i] = vreinterpretq_s32_s8(columns[i]);
  const int32x4_t a = vzip1q_s32(words[0], words[2]), b = vzip1q_s32(words[1], words[3]);
  const int32x4_t c = vzip2q_s32(words[0], words[2]), d = vzip2q_s32(words[1], words[3]);
  const int32x4_t packed[4] = {vzip1q_s32(a, b), vzip2q_s32(a, b), vzip1q_s32(c, d),
                               vzip2q_s32(c, d)};
  for (uint32_t f = 0; f < 4 && f < fours; ++f) {
    store_bytes(panel + f * 64 + column * 4, vreinterpretq_s8_s32(packed[f]));
  }
}

// Four lines of 16 channels to one column.
inline void put_column(const Bytes (&lines)[4], uint8_t* to) {
  const Bytes a = vzip1q_s8(lines[0], lines[2]), b = vzip1q_s8(lines[1], lines[3]);
  const Bytes c = vzip2q_s8(lines[0], lines[2]), d = vzip2q_s8(lines[1], lines[3]);
  const Bytes packed[4] = {vzip1q_s8(a, b), vzip2q_s8(a, b), vzip1q_s8(c, d), vzip2q_s8(c, d)};
  for (uint32_t i = 0; i < 4; ++i) store_bytes(to + i * 16, packed[i]);
}

}  // namespace
}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

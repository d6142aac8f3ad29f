// Adds neighbors of 8 bits of two scales, or neighbors and one number, so many at once; compiled
// for each instruction set. Of rows with gaps one after the other.
#pragma once

#include <cstring>

#include "portable_fallback/fast/integer_sums.h"
#include "portable_fallback/fast/integer_sums_once.h"

namespace arenite {
namespace {

// The next numbers of one operand: neighbors, or the same one for all.
template <typename T>
inline void take_numbers(T* to, Src<std::byte> from, ptrdiff_t step, uint32_t count) {
  if (step == 0) {
    std::memset(to, static_cast<int>(static_cast<uint8_t>(*from)), kDspSumsAtOnce);
  } else if (count == kDspSumsAtOnce) [[likely]] {
    take(to, as<T>(from), kDspSumsAtOnce);
  } else {
    take(to, as<T>(from), count);
  }
}

// sum(a, b, y): the results of kDspSumsAtOnce numbers of type T, of which a row's last may be
// fewer. Returns whether all elements are neighbors, or one for all: else none is done.
template <typename T, typename Row, typename Sum>
bool add_neighbors(const Row& row, const Sum& sum) {
  const ptrdiff_t a_step = row.steps[0], b_step = row.steps[1];
  if (!are_sum_neighbors(a_step, b_step, row.y_step)) return false;
  constexpr uint32_t kAtOnce = kDspSumsAtOnce;
  T a[kAtOnce] = {}, b[kAtOnce] = {}, y[kAtOnce];
  Src<std::byte> of_a = row.inputs[0], of_b = row.inputs[1];
  for (uint32_t done = 0; done < row.count; done += kAtOnce) {
    const uint32_t count = row.count - done < kAtOnce ? row.count - done : kAtOnce;
    take_numbers(a, of_a, a_step, count);
    take_numbers(b, of_b, b_step, count);
    sum(a, b, y);
    if (count == kAtOnce) [[likely]] {
      put(as<T>(row.y + done), static_cast<const T*>(y), kAtOnce);
    } else {
      put(as<T>(row.y + done), static_cast<const T*>(y), count);
    }
    of_a += a_step * static_cast<ptrdiff_t>(count);
    of_b += b_step * static_cast<ptrdiff_t>(count);
  }
  return true;
}

template <typename T, bool kToEven>
void add_rows_once(const OnceSums& of, const OnceSumRow& row) {
  const auto first = static_cast<uint32_t>(of.multipliers[0]);
  const auto second = static_cast<uint32_t>(of.multipliers[1]);
  const auto added = static_cast<uint32_t>(of.added);
  const uint32_t right = of.right;
  const int32_t zero_point = of.zero_point, low = of.low, high = of.high;
  const auto sum = [=](const T* a, const T* b, T* y) {
    // By sixteens, as GCC copies bytes: what it loads was stored at once.
    constexpr uint32_t kSome = 16;
    static_assert(kDspSumsAtOnce % kSome == 0);
    for (const T* const end = a + kDspSumsAtOnce; a != end; a += kSome, b += kSome, y += kSome) {
      for (uint32_t i = 0; i < kSome; ++i) {
        // Each product and sum may wrap.
        const uint32_t of_a = static_cast<uint32_t>(int32_t{a[i]}) * first;
        const uint32_t of_b = static_cast<uint32_t>(int32_t{b[i]}) * second;
        const int32_t quotient = once_quotient<kToEven>(of_a + of_b + added, right);
        y[i] = static_cast<T>(once_limited(quotient + zero_point, low, high));
      }
    }
  };
  if (!add_neighbors<T>(row, sum)) add_once_sums<T, kToEven>(of, row);
}

template <typename T>
void add_rows_once(const OnceSums& of, const OnceSumRow& row) {
  of.half_even ? add_rows_once<T, true>(of, row) : add_rows_once<T, false>(of, row);
}

inline void add_sums_once(const OnceSums& of, const OnceSumRow& row) {
  of.is_unsigned ? add_rows_once<uint8_t>(of, row) : add_rows_once<int8_t>(of, row);
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

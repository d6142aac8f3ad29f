// Adds neighbors of 8 bits of two scales, so many at once; compiled for each instruction set. What
// is left of a row is read at once too, as the safe distance says, and rows with gaps are added one
// element after the other.
#pragma once

#include "portable_fallback/fast/integer_sums.h"
#include "portable_fallback/fast/integer_sums_once.h"

namespace arenite {
namespace {

// sum(a, b, y): the results of kDspSumsAtOnce numbers of type T. one_by_one(row) adds a row's.
template <typename T, typename Row, typename Sum, typename OneByOne>
void add_neighbors(const Row& row, const Sum& sum, const OneByOne& one_by_one) {
  if (row.steps[0] != 1 || row.steps[1] != 1 || row.y_step != 1) return one_by_one(row);
  constexpr uint32_t kAtOnce = kDspSumsAtOnce;
  T a[kAtOnce], b[kAtOnce], y[kAtOnce];
  uint32_t done = 0;
  for (; done + kAtOnce <= row.count; done += kAtOnce) {
    take(a, as<T>(row.inputs[0] + done), kAtOnce);
    take(b, as<T>(row.inputs[1] + done), kAtOnce);
    sum(a, b, y);
    put(as<T>(row.y + done), static_cast<const T*>(y), kAtOnce);
  }
  const uint32_t left = row.count - done;
  if (left == 0) return;
  take(a, as<T>(row.inputs[0] + done), left);
  take(b, as<T>(row.inputs[1] + done), left);
  const auto bytes = [](T* of) { return static_cast<std::byte*>(static_cast<void*>(of)); };
  one_by_one(Row{{bytes(a), bytes(b)}, bytes(y), {1, 1}, 1, left});
  put(as<T>(row.y + done), static_cast<const T*>(y), left);
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
  add_neighbors<T>(row, sum, [&](const OnceSumRow& rest) { add_once_sums<T, kToEven>(of, rest); });
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

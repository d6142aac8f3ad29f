// Compiles the sums for SSE2 or NEON. Numbers of the sums that are rounded twice are multiplied one
// by one.
#include "portable_fallback/fast/integer_sums_base_kernel.h"

#include "portable_fallback/fast/integer_sums_loops.h"

namespace arenite {
namespace {

template <typename T>
void add_rows(const DspSums& of, const DspSumRow& row) {
  const Scale first(of.factors[0]), second(of.factors[1]), whole(of.sum);
  const Numbers first_number(of, 0), second_number(of, 1);
  const int32_t zero_point = of.zero_point, low = of.low, high = of.high;
  const int32_t factor = of.subtracts ? -2 : 2;
  const bool squares = of.squares;
  const auto sum = [=](const T* a, const T* b, T* y) {
    for (uint32_t i = 0; i < kDspSumsAtOnce; ++i) {
      int32_t doubled = factor * second(second_number(static_cast<std::byte>(b[i]))) +
                        2 * first(first_number(static_cast<std::byte>(a[i])));
      if (squares) doubled *= doubled >> 1;
      y[i] = static_cast<T>(limited(whole(doubled) + zero_point, low, high));
    }
  };
  if (!add_neighbors<T>(row, sum)) add_scaled_sums(of, row);
}

}  // namespace

void add_sums_base(const DspSums& sums, const DspSumRow& row) { add_rows<uint8_t>(sums, row); }

void add_sums_once_base(const OnceSums& sums, const OnceSumRow& row) { add_sums_once(sums, row); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Results of a type's whole range that are neighbors saturate by one instruction.
#include "portable_fallback/fast/integer_sums_even_dsp_kernel.h"

#include <type_traits>

#include "portable_fallback/fast/dsp.h"

namespace arenite {
namespace {

template <typename T>
[[gnu::noinline]] void add_neighbors(const OnceSums& of, const OnceSumRow& row) {
  const int32_t first = of.multipliers[0], second = of.multipliers[1], added = of.added;
  const uint32_t right = of.right;
  const int32_t zero_point = of.zero_point;
  Src<T> a = as<T>(row.inputs[0]), b = as<T>(row.inputs[1]);
  Dst<T> y = as<T>(row.y);
  for (uint32_t left = row.count; left != 0; --left, a += 1, b += 1, y += 1) {
    const uint32_t sum = static_cast<uint32_t>(static_cast<int32_t>(*a) * first) +
                         static_cast<uint32_t>(static_cast<int32_t>(*b) * second) +
                         static_cast<uint32_t>(added);
    const int32_t number = divided_to_even(sum, right) + zero_point;
    *y = static_cast<T>(std::is_unsigned_v<T> ? dsp::saturated_uint8(number)
                                              : dsp::saturated_8(number));
  }
}

template <typename T>
void add(const OnceSums& sums, const OnceSumRow& row) {
  const bool neighbors = row.steps[0] == 1 && row.steps[1] == 1 && row.y_step == 1;
  if (neighbors && sums.high - sums.low == UINT8_MAX) {
    add_neighbors<T>(sums, row);
  } else {
    add_once_sums<T, true>(sums, row);
  }
}

}  // namespace

void add_sums_even_dsp(const OnceSums& sums, const OnceSumRow& row) {
  sums.is_unsigned ? add<uint8_t>(sums, row) : add<int8_t>(sums, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

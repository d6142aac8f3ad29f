// Results of a type's whole range that are neighbors saturate by one instruction.
#include "portable_fallback/fast/integer_pairs_even_dsp_kernel.h"

#include <type_traits>

#include "portable_fallback/fast/dsp.h"

namespace arenite {
namespace {

template <typename T>
[[gnu::noinline]] void multiply_neighbors(const EvenPairs& by, const IntegerPairRow& row) {
  multiply_even<T, true>(by, row, [](int32_t number) {
    return std::is_unsigned_v<T> ? dsp::saturated_uint8(number) : dsp::saturated_8(number);
  });
}

template <typename T>
void multiply(const EvenPairs& by, const IntegerPairRow& row) {
  const bool neighbors = row.steps[0] == 1 && row.steps[1] == 1 && row.y_step == 1;
  if (neighbors && by.high - by.low == UINT8_MAX) {
    multiply_neighbors<T>(by, row);
  } else {
    multiply_even_each<T>(by, row);
  }
}

}  // namespace

void multiply_pairs_even_dsp(const EvenPairs& by, const IntegerPairRow& row) {
  by.is_unsigned ? multiply<uint8_t>(by, row) : multiply<int8_t>(by, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

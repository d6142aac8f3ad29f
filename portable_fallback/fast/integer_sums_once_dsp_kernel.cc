// Results of the whole range of uint8 that are neighbors saturate by one instruction.
#include "portable_fallback/fast/integer_sums_once_dsp_kernel.h"

#include "portable_fallback/fast/dsp.h"

namespace arenite {
namespace {

[[gnu::noinline]] void add_neighbors(const OnceSums& of, const OnceSumRow& row) {
  const int32_t first = of.multipliers[0], second = of.multipliers[1], added = of.added;
  const uint32_t right = of.right;
  const int32_t zero_point = of.zero_point;
  Src<std::byte> a = row.inputs[0], b = row.inputs[1];
  Dst<std::byte> y = row.y;
  for (uint32_t left = row.count; left != 0; --left, a += 1, b += 1, y += 1) {
    const uint32_t sum = static_cast<uint32_t>(static_cast<int32_t>(*a) * first) +
                         static_cast<uint32_t>(static_cast<int32_t>(*b) * second) +
                         static_cast<uint32_t>(added);
    const int32_t number = (static_cast<int32_t>(sum) >> right) + zero_point;
    *y = static_cast<std::byte>(dsp::saturated_uint8(number));
  }
}

}  // namespace

void add_sums_once_dsp(const OnceSums& sums, const OnceSumRow& row) {
  const bool neighbors = row.steps[0] == 1 && row.steps[1] == 1 && row.y_step == 1;
  if (neighbors && sums.is_unsigned && sums.low == 0 && sums.high == 255) {
    add_neighbors(sums, row);
  } else if (sums.is_unsigned) {
    add_once_sums<uint8_t>(sums, row);
  } else {
    add_once_sums<int8_t>(sums, row);
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

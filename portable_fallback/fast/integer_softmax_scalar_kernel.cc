// A row's greatest element, its sum, then one division for each share.
#include "portable_fallback/fast/integer_softmax_scalar_kernel.h"

namespace arenite {
namespace {

// The quotient, halves to even; beyond all results of 8 bits where it is greater.
inline int32_t share_of(uint32_t numerator, uint32_t sum) {
  constexpr uint32_t kBeyond = 1 << 16;
  const uint32_t whole = numerator / sum;
  const uint32_t rest = numerator - whole * sum;
  const uint32_t missing = sum - rest;
  const bool up = rest > missing || (rest == missing && (whole & 1) != 0);
  return static_cast<int32_t>(whole < kBeyond ? whole + (up ? 1 : 0) : kBeyond);
}

}  // namespace

void softmax_rows_scalar(const TabledSoftmax& softmax, const SoftmaxRows& rows) {
  // Copies: what is written could be the numbers' own bytes.
  const Src<uint32_t> summands = softmax.summands, numerators = softmax.numerators;
  const auto flip = static_cast<uint32_t>(softmax.flip);
  const int32_t zero_point = softmax.zero_point;
  const int32_t low = softmax.low - zero_point, high = softmax.high - zero_point;
  const ptrdiff_t x_step = rows.x_step, y_step = rows.y_step;
  const uint32_t count = rows.count;
  Src<uint8_t> row = rows.x;
  Dst<uint8_t> to = rows.y;
  for (uint32_t left_rows = rows.rows; left_rows != 0; --left_rows) {
    Src<uint8_t> x = row;
    uint32_t most = 0;
    for (uint32_t left = count; left != 0; --left, x += x_step) {
      const uint32_t number = *x ^ flip;
      most = number > most ? number : most;
    }
    uint32_t sum = 0;
    x = row;
    for (uint32_t left = count; left != 0; --left, x += x_step) {
      const uint32_t added = summands[static_cast<ptrdiff_t>(most - (*x ^ flip))];
      sum = added < UINT32_MAX - sum ? sum + added : UINT32_MAX;
    }
    if (sum == 0) sum = 1;
    x = row;
    Dst<uint8_t> y = to;
    for (uint32_t left = count; left != 0; --left, x += x_step, y += y_step) {
      const uint32_t numerator = numerators[static_cast<ptrdiff_t>(most - (*x ^ flip))];
      *y = static_cast<uint8_t>(limited_number(share_of(numerator, sum), low, high) + zero_point);
    }
    row += rows.x_row;
    to += rows.y_row;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

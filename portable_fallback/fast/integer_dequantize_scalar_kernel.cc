// One element after the other, by a scale that stays in a register.
#include "portable_fallback/fast/integer_dequantize_scalar_kernel.h"

namespace arenite {
namespace {

template <typename T>
void dequantize(const DequantizeRow& row) {
  const float scale = row.scale;
  const int32_t zero_point = row.zero_point;
  const ptrdiff_t x_step = row.x_step, y_step = row.y_step;
  Src<std::byte> x = row.x;
  Dst<std::byte> y = row.y;
  for (uint32_t left = row.count; left != 0; --left, x += x_step, y += y_step) {
    const T element = *as<T>(x);
    *as<float>(y) = static_cast<float>(int32_t{element} - zero_point) * scale;
  }
}

}  // namespace

void dequantize_row_scalar(const DequantizeRow& row) {
  row.is_unsigned ? dequantize<uint8_t>(row) : dequantize<int8_t>(row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// An element takes three instructions: numbers are offsets from the place of 0 in the table.
#include "portable_fallback/fast/integer_lookup_scalar_kernel.h"

namespace arenite {
namespace {

template <typename T>
void look_up(Src<std::byte> zero, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  const auto next = [&]() __attribute__((always_inline)) {
    const std::byte number = *x;
    const std::byte value = zero[static_cast<ptrdiff_t>(static_cast<T>(number))];
    *y = value;
    x += 1;
    y += 1;
  };
  for (; count >= 8; count -= 8) {
    next();
    next();
    next();
    next();
    next();
    next();
    next();
    next();
  }
  for (; count != 0; --count) next();
}

}  // namespace

void look_up_scalar(const ByteTable& table, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  if (table.is_unsigned) {
    look_up<uint8_t>(table.values, x, y, count);
  } else {
    look_up<int8_t>(table.values + 128, x, y, count);
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

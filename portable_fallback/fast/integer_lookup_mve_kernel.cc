// Sixteen elements at a time, each from its own place of the table.
#include "portable_fallback/fast/integer_lookup_mve_kernel.h"

#include "portable_fallback/fast/mve.h"

namespace arenite {

#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)

void look_up_mve(const ByteTable& table, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  asm volatile(
      "wlstp.8 lr, %[count], 2f\n\t"
      "1:\n\t"
      "vldrb.8 q0, [%[x]], #16\n\t"
      "veor q0, q0, %q[flip]\n\t"
      "vldrb.u8 q1, [%[table], q0]\n\t"
      "vstrb.8 q1, [%[y]], #16\n\t"
      "letp lr, 1b\n\t"
      "2:"
      : [x] "+r"(x), [y] "+r"(y)
      : [count] "r"(count), [table] "r"(table.values),
        [flip] "w"(vdupq_n_u8(table.is_unsigned ? 0 : 0x80))
      : "lr", "q0", "q1", "memory");
}

#else

void look_up_mve(const ByteTable& table, Src<std::byte> x, Dst<std::byte> y, uint32_t count) {
  const uint32_t flip = table.is_unsigned ? 0 : 0x80;
  for (; count != 0; --count, x += 1, y += 1) {
    const uint32_t place = static_cast<uint32_t>(*x) ^ flip;
    const std::byte value = table.values[place];
    *y = value;
  }
}

#endif

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

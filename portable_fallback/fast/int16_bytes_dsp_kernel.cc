// One number after the other, by products whose upper half alone is made.
#include "portable_fallback/fast/int16_bytes_dsp_kernel.h"

#include "portable_fallback/fast/int16_bytes.h"

namespace arenite {

void narrow_int16_dsp(const IntegerRequantize& by, Src<int16_t> x, Dst<std::byte> y,
                      uint32_t count) {
  narrow_each(by, x, y, count);
}

void widen_bytes_dsp(const IntegerRequantize& by, Src<std::byte> x, Dst<int16_t> y,
                     uint32_t count) {
  widen_each(by, x, y, count);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

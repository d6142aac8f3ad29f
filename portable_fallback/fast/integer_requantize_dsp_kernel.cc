// One element after the other, by products whose upper half alone is made.
#include "portable_fallback/fast/integer_requantize_dsp_kernel.h"

namespace arenite {

void requantize_bytes_dsp(const IntegerRequantize& by, Src<std::byte> x, Dst<std::byte> y,
                          uint32_t count) {
  requantize_each(by, x, y, count);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

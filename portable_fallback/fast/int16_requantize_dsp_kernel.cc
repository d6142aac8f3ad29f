// One number after the other, by products whose upper half alone is made.
#include "portable_fallback/fast/int16_requantize_dsp_kernel.h"

#include "portable_fallback/fast/int16_pairs_each.h"

namespace arenite {

void rescale_int16_dsp(const Int16Factor& by, Src<int16_t> x, Dst<int16_t> y, uint32_t count) {
  rescale_each(by, x, y, count);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

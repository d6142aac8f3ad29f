// Computes depthwise products by the loops of integer_depthwise_dsp.h.
#include "portable_fallback/fast/integer_depthwise_dsp_kernel.h"

#include "portable_fallback/fast/integer_depthwise_dsp.h"

namespace arenite {

void add_depthwise_dsp(const DspDepthwise& d, uint32_t line) { compute_line<false>(d, line); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

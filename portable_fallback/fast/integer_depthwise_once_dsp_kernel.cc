// Computes depthwise products by the loops of integer_depthwise_dsp.h, and rounds results once.
#include "portable_fallback/fast/integer_depthwise_once_dsp_kernel.h"

#include "portable_fallback/fast/integer_depthwise_dsp.h"

namespace arenite {

void add_depthwise_once_dsp(const DspDepthwise& d, uint32_t line) { compute_line<true>(d, line); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Computes depthwise windows of int8 by the loops of integer_depthwise_mve.h.
#include "portable_fallback/fast/integer_depthwise_mve_kernel.h"

#include "portable_fallback/fast/integer_depthwise_mve.h"

namespace arenite {

void fold_depthwise_mve(const MveDepthwise& d, int32_t* biases) { fold_columns<false>(d, biases); }

void add_depthwise_mve(const MveDepthwise& d, uint32_t line) { compute_line<false>(d, line); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

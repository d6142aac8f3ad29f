// Scales both numbers, adds them and scales the sum by products of 64 bits.
#include "portable_fallback/fast/integer_sums_scalar_kernel.h"

#define ARENITE_WITHOUT_DSP
#include "portable_fallback/fast/integer_sums.h"

namespace arenite {

void add_sums_scalar(const DspSums& sums, const DspSumRow& row) { add_scaled_sums(sums, row); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

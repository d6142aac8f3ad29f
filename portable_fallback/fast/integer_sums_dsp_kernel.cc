// Scales both numbers, adds them and scales the sum by instructions of the DSP extension.
#include "portable_fallback/fast/integer_sums_dsp_kernel.h"

#include "portable_fallback/fast/integer_sums.h"

namespace arenite {

void add_sums_dsp(const DspSums& sums, const DspSumRow& row) { add_scaled_sums(sums, row); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Adds numbers of 8 bits of two scales with Arm's MVE.
#pragma once

#include "portable_fallback/fast/integer_sums_dsp_kernel.h"

namespace arenite {

// As add_sums_dsp(), four neighboring elements at once.
void add_sums_mve(const DspSums& sums, const DspSumRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Adds numbers of 8 bits of two scales by plain loops, of which compilers make vectors.
#pragma once

#include "portable_fallback/fast/integer_sums_dsp_kernel.h"
#include "portable_fallback/fast/integer_sums_once.h"

namespace arenite {

void add_sums_base(const DspSums& sums, const DspSumRow& row);
void add_sums_once_base(const OnceSums& sums, const OnceSumRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

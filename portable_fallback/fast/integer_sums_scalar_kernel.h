// Adds numbers of 8 bits of two scales, element by element, in plain C++.
#pragma once

#include "portable_fallback/fast/integer_sums_dsp_kernel.h"

namespace arenite {

void add_sums_scalar(const DspSums& sums, const DspSumRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

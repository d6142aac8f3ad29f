// Serves the forms of sums of 8 bits: which steps they take, and a step as their kernels see it.
#pragma once

#include "core/step.h"
#include "portable_fallback/fast/integer_sums_dsp_kernel.h"

namespace arenite {

bool takes_integer_sums(const Step& step);
DspSums integer_sums(const Step& step);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

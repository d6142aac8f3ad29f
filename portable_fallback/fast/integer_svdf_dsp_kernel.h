// Computes units of a layer of low rank of integers with Arm's DSP extension.
#pragma once

#include "portable_fallback/fast/integer_svdf.h"

namespace arenite {

void compute_svdf_dsp(const IntegerSvdf& svdf, const SvdfUnits& units);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

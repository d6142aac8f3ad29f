// Adds products of depthwise windows with Arm's DSP extension; results are rounded once, from whole
// products.
#pragma once

#include "portable_fallback/fast/integer_depthwise_dsp_kernel.h"

namespace arenite {

// As add_depthwise_dsp(). Results are of the kinds that find_single_roundings() finds, and where
// they are `small` those of find_exact_outputs().
void add_depthwise_exact_dsp(const DspDepthwise& depthwise, uint32_t line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

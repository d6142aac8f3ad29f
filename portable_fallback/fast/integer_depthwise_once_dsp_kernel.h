// Adds products of depthwise windows with Arm's DSP extension; results are rounded once.
#pragma once

#include "portable_fallback/fast/integer_depthwise_dsp_kernel.h"

namespace arenite {

// As add_depthwise_dsp().
void add_depthwise_once_dsp(const DspDepthwise& depthwise, uint32_t line);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

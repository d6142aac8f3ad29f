// Facts and code of the forms that compute convolutions of floats with vector kernels, whatever
// instructions these use.
#pragma once

#include "portable_fallback/shared/float_kernel.h"

namespace arenite {

bool takes_float_conv(const Step& step);
// The products of one group.
FloatProducts float_conv_products(const Step& step);
ScratchNeed float_conv_scratch(const Step& step);
Status run_float_conv(const Step& step, const Platform& platform, const FloatKernel& kernel);

constexpr Form float_conv_facts(uint8_t plainest) {
  return float_facts(plainest, float_conv_scratch, takes_float_conv);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

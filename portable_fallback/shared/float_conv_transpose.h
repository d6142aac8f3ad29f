// Facts and code of the forms that compute transposed convolutions of floats with vector kernels.
#pragma once

#include "portable_fallback/shared/float_kernel.h"

namespace arenite {

bool takes_float_conv_transpose(const Step& step);
ScratchNeed float_conv_transpose_scratch(const Step& step);
Status run_float_conv_transpose(const Step& step, const Platform& platform,
                                const FloatKernel& kernel);

constexpr Form float_conv_transpose_facts(uint8_t plainest) {
  return float_facts(plainest, float_conv_transpose_scratch, takes_float_conv_transpose);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

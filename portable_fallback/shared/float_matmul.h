// Facts and code of the forms that compute matrix products of floats with vector kernels, whatever
// instructions these use.
#pragma once

#include "portable_fallback/shared/float_kernel.h"

namespace arenite {

bool takes_float_matmul(const Step& step);
ScratchNeed float_matmul_scratch(const Step& step);
Status run_float_matmul(const Step& step, const Platform& platform, const FloatKernel& kernel);

constexpr Form float_matmul_facts(uint8_t plainest) {
  return float_facts(plainest, float_matmul_scratch, takes_float_matmul);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

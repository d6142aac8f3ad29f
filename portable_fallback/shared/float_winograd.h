// Facts and code of the forms that compute convolutions of 3 by 3 floats by Winograd's transforms,
// whatever instructions these use.
#pragma once

#include "portable_fallback/fast/float_winograd.h"
#include "portable_fallback/shared/float_kernel.h"

namespace arenite {

bool takes_float_winograd(const Step& step);
ScratchNeed float_winograd_scratch(const Step& step);
Status run_float_winograd(const Step& step, const Platform& platform, const WinogradKernel& kernel);

constexpr Form float_winograd_facts(uint8_t plainest) {
  return float_facts(plainest, float_winograd_scratch, takes_float_winograd);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

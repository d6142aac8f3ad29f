// Facts and code of the forms that compute convolutions of floats with vector kernels, whatever
// instructions these use.
#pragma once

#include "core/form.h"
#include "ops/packings.h"
#include "portable_fallback/shared/float_kernel.h"

namespace arenite {

bool takes_float_conv(const Step& step);
ScratchNeed float_conv_scratch(const Step& step);
Status run_float_conv(const Step& step, const Platform& platform, const FloatKernel& kernel);

// What these forms share, so that a program planned for one runs with any: the loader takes the
// best that the machine has. They overlap nothing: tiles are stored while others still read what
// their windows share.
constexpr Form float_conv_facts(uint8_t plainest) {
  return {.parallel = true,
          .alignment = sizeof(float),  // of the scratch too
          .kin = plainest,
          .packings = kPanelPackings,
          .scratch = float_conv_scratch,
          .accepts = takes_float_conv};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Facts and code of the forms that compute matrix products of floats with vector kernels, whatever
// instructions these use.
#pragma once

#include "core/form.h"
#include "ops/packings.h"
#include "portable_fallback/shared/float_kernel.h"

namespace arenite {

bool takes_float_matmul(const Step& step);
ScratchNeed float_matmul_scratch(const Step& step);
Status run_float_matmul(const Step& step, const Platform& platform, const FloatKernel& kernel);

// What these forms share, so that a program planned for one runs with any: the loader takes the
// best that the machine has. They overlap nothing: tiles are stored while others still read what
// their rows share.
constexpr Form float_matmul_facts(uint8_t plainest) {
  return {.parallel = true,
          .alignment = sizeof(float),  // of the scratch too
          .kin = plainest,
          .packings = kPanelPackings,
          .scratch = float_matmul_scratch,
          .accepts = takes_float_matmul};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

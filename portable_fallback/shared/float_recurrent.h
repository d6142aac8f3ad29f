// Facts and code of the forms that step recurrent cells of floats through time with vector kernels,
// whatever instructions these use.
#pragma once

#include "core/form.h"
#include "portable_fallback/fast/float_cells.h"

namespace arenite {

// Whether weights and inputs lie in rows, and kernels know the functions of the cell.
bool takes_float_recurrent(const Step& step);
ScratchNeed float_recurrent_scratch(const Step& step);
Status run_float_recurrent(const Step& step, const Platform& platform,
                           const FloatCellKernel& kernel);

constexpr Form float_recurrent_facts(uint8_t plainest) {
  return {.parallel = true,
          .alignment = sizeof(float),  // of the scratch too
          .kin = plainest,
          .scratch = float_recurrent_scratch,
          .accepts = takes_float_recurrent};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Facts and code of the forms that compute attention of floats with vector kernels, whatever
// instructions these use.
#pragma once

#include "portable_fallback/shared/float_kernel.h"

namespace arenite {

// Makes a row of scores shares of one: share_scores of one instruction set.
using FloatShares = void(float* scores, uint32_t count, float scale);

bool takes_float_attention(const Step& step);
ScratchNeed float_attention_scratch(const Step& step);
Status run_float_attention(const Step& step, const Platform& platform, const FloatKernel& kernel,
                           FloatShares* shares);

constexpr Form float_attention_facts(uint8_t plainest) {
  return {.parallel = true,
          .alignment = sizeof(float),  // of the scratch too
          .kin = plainest,
          .scratch = float_attention_scratch,
          .accepts = takes_float_attention};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

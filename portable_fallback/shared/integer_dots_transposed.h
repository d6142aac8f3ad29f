// Serves the forms of integer dot products that compute transposed convolutions, as convolutions
// of the taps that reach the outputs a stride apart.
#pragma once

#include "portable_fallback/shared/integer_dots.h"

namespace arenite {

bool takes_dot_conv_transpose(const Step& step);
ScratchNeed dot_conv_transpose_scratch(const Step& step);
uint64_t dot_conv_transpose_distance(const Step& step, uint32_t input);
Status run_dot_conv_transpose(const Step& step, const Platform& platform,
                              const IntegerDots& kernel);

// What the form of a kernel runs; that of a kernel for another kind of CPU runs nothing.
template <const IntegerDots& kKernel>
struct TransposedDotRuns {
  static Status run_conv_transpose(const Step& step, const Platform& platform) {
    return run_dot_conv_transpose(step, platform, kKernel);
  }
};
struct NoTransposedDotRuns {
  static constexpr decltype(Form::run) run_conv_transpose = nullptr;
};

// The facts by the number of the plainest kin, without what runs.
constexpr Form dot_conv_transpose_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .scratch = dot_conv_transpose_scratch,
          .safe_distance = dot_conv_transpose_distance,
          .accepts = takes_dot_conv_transpose};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

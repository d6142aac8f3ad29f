// Serves the forms of matrix products of two activations by dot products: a thread copies each
// right side to rows, as the kernels read weights. All have the same facts.
#pragma once

#include "core/form.h"
#include "portable_fallback/fast/integer_dots.h"

namespace arenite {

bool takes_dot_matrices(const Step& step);
ScratchNeed dot_matrices_scratch(const Step& step);
uint64_t dot_matrices_distance(const Step& step, uint32_t input);
Status run_dot_matrices(const Step& step, const Platform& platform, const IntegerDots& kernel);

template <const IntegerDots& kKernel>
Status run_dot_matrices_by(const Step& step, const Platform& platform) {
  return run_dot_matrices(step, platform, kKernel);
}

// The facts by the number of the plainest kin, without what runs.
constexpr Form dot_matrices_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .scratch = dot_matrices_scratch,
          .safe_distance = dot_matrices_distance,
          .accepts = takes_dot_matrices};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

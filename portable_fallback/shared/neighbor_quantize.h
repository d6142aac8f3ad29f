// Serves the forms that turn floats into integers of 8 bits by vectors: steps whose rows have one
// scale. All have the same facts, so that a program runs with the best that its machine has.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/integer_quantize.h"

namespace arenite {

using QuantizeKernel = void (*)(const QuantizeRun& run);

bool takes_neighbor_quantize(const Step& step);
uint64_t neighbor_quantize_distance(const Step& step, uint32_t input);
Status run_neighbor_quantize(const Step& step, const Platform& platform, QuantizeKernel kernel);

template <QuantizeKernel kKernel>
Status run_neighbor_quantize(const Step& step, const Platform& platform) {
  return run_neighbor_quantize(step, platform, kKernel);
}

// The facts by the number of the plainest kin, without what runs.
constexpr Form neighbor_quantize_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .safe_distance = neighbor_quantize_distance,
          .accepts = takes_neighbor_quantize};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Facts and code of the forms that add up or compare floats along axes with the vector kernels of
// pools: neighboring results side by side. All have the same facts, so that a program runs with the
// best that its machine has.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/float_pool.h"

namespace arenite {

// Whether results are neighbors, and those of each element too, along up to three axes.
bool takes_float_sums(const Step& step);

// The safe distance of x: results of some neighbors read all of theirs and are then written.
uint64_t float_sums_distance(const Step& step, uint32_t input);

Status run_float_sums(const Step& step, const Platform& platform,
                      void (*kernel)(const FloatPoolRun&), bool mean);

template <void (*kKernel)(const FloatPoolRun&), bool kMean>
Status run_float_sums(const Step& step, const Platform& platform) {
  return run_float_sums(step, platform, kKernel, kMean);
}

constexpr Form float_sums_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .safe_distance = float_sums_distance,
          .accepts = takes_float_sums};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

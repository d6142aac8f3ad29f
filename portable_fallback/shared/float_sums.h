// Facts and code of the forms that add up or compare floats along axes with the vector kernels of
// pools: neighboring results side by side, or neighboring elements of a result. All have the same
// facts, so that a program runs with the best that its machine has.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/float_pool.h"

namespace arenite {

// Whether results are neighbors, and those of each element too, along up to three axes; or some
// elements of a result are.
bool takes_float_sums(const Step& step);

// The safe distance of x: results of some neighbors read all of theirs and are then written; of
// those that are no neighbors each.
uint64_t float_sums_distance(const Step& step, uint32_t input);

struct FloatSumsKernels {
  FloatPoolKernel side_by_side, rows;
};
Status run_float_sums(const Step& step, const Platform& platform, const FloatSumsKernels& kernels,
                      bool mean);

template <FloatPoolKernel kSideBySide, FloatPoolKernel kRows, bool kMean>
Status run_float_sums(const Step& step, const Platform& platform) {
  return run_float_sums(step, platform, {kSideBySide, kRows}, kMean);
}

constexpr Form float_sums_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .safe_distance = float_sums_distance,
          .accepts = takes_float_sums};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

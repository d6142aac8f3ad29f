// Facts and code of the forms that pool floats with vector kernels. All have the same facts, so
// that a program runs with the best that its machine has.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/float_pool.h"

namespace arenite {

// Whether channels are neighbors, and no places of maxima are asked for.
bool takes_float_pool(const Step& step);

// The safe distance of x: each output reads its window and then writes, some channels at a time.
uint64_t float_pool_distance(const Step& step, uint32_t input);

Status run_float_pool(const Step& step, const Platform& platform, FloatPoolKernel kernel);

template <FloatPoolKernel kKernel>
Status run_float_pool(const Step& step, const Platform& platform) {
  return run_float_pool(step, platform, kKernel);
}

constexpr Form float_pool_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .safe_distance = float_pool_distance,
          .accepts = takes_float_pool};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Facts and code of the forms of ArgMax and ArgMin of floats with vector kernels. Both have the
// same facts, so that a program runs with the best that its machine has.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/float_arg.h"

namespace arenite {

using FloatArgKernel = void (*)(const FloatArgRun& run, uint32_t* places);

// Whether the elements of a search lie evenly apart, along one axis or several that are one.
bool takes_float_arg(const Step& step);

// The safe distance of x: neighboring searches read all of theirs and are then written.
uint64_t float_arg_distance(const Step& step, uint32_t input);

Status run_float_arg(const Step& step, const Platform& platform, FloatArgKernel kernel);

constexpr Form float_arg_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .safe_distance = float_arg_distance,
          .accepts = takes_float_arg};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Facts and code of the forms that compute functions of two floats with vector kernels. All have
// the same facts, so that a program runs with the best that its machine has.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/float_binary.h"

namespace arenite {

using FloatBinaryKernel = void (*)(FloatBinary function, const FloatBinaryRun& run);

// Returns whether rows of y and a have neighboring elements, and b has too or has one element for a
// whole row. Sums and products also take a and b the other way round.
bool takes_float_binary(const Step& step);
uint64_t float_binary_distance(const Step& step, uint32_t input);
Status run_float_binary(const Step& step, const Platform& platform, FloatBinaryKernel kernel,
                        FloatBinary function);

template <FloatBinaryKernel kKernel>
struct FloatBinaryRuns {
  template <FloatBinary kFunction>
  static Status run(const Step& step, const Platform& platform) {
    return run_float_binary(step, platform, kKernel, kFunction);
  }
  static constexpr auto run_add = run<FloatBinary::kAdd>;
  static constexpr auto run_sub = run<FloatBinary::kSub>;
  static constexpr auto run_mul = run<FloatBinary::kMul>;
  static constexpr auto run_div = run<FloatBinary::kDiv>;
  static constexpr auto run_max = run<FloatBinary::kMax>;
  static constexpr auto run_min = run<FloatBinary::kMin>;
  static constexpr auto run_prelu = run<FloatBinary::kSlope>;
};
struct NoFloatBinaryRuns {
  static constexpr decltype(Form::run) run_add = nullptr, run_sub = nullptr, run_mul = nullptr,
                                       run_div = nullptr, run_max = nullptr, run_min = nullptr,
                                       run_prelu = nullptr;
};

constexpr Form float_binary_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .safe_distance = float_binary_distance,
          .accepts = takes_float_binary};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

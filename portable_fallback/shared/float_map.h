// Facts and code of the forms that compute functions of single floats with vector kernels. All have
// the same facts, so that a program runs with the best that its machine has.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/float_map.h"

namespace arenite {

using FloatMapKernel = void (*)(FloatMap map, const FloatMapRun& run);

// Whether there are elements.
bool takes_float_map(const Step& step);
uint64_t float_map_distance(const Step& step, uint32_t input);
Status run_float_map(const Step& step, const Platform& platform, FloatMapKernel kernel,
                     FloatMap map);

template <FloatMapKernel kKernel>
struct FloatMapRuns {
  template <FloatMap kMap>
  static Status run(const Step& step, const Platform& platform) {
    return run_float_map(step, platform, kKernel, kMap);
  }
  static constexpr auto run_sigmoid = run<FloatMap::kSigmoid>;
  static constexpr auto run_hard_sigmoid = run<FloatMap::kHardSigmoid>;
  static constexpr auto run_hard_swish = run<FloatMap::kHardSwish>;
  static constexpr auto run_swish = run<FloatMap::kSwish>;
  static constexpr auto run_leaky_relu = run<FloatMap::kLeakyRelu>;
  static constexpr auto run_tanh = run<FloatMap::kTanh>;
  static constexpr auto run_erf = run<FloatMap::kErf>;
  static constexpr auto run_gelu = run<FloatMap::kGelu>;
  static constexpr auto run_exp = run<FloatMap::kExp>;
  static constexpr auto run_log = run<FloatMap::kLog>;
  static constexpr auto run_elu = run<FloatMap::kElu>;
  static constexpr auto run_selu = run<FloatMap::kSelu>;
  static constexpr auto run_celu = run<FloatMap::kCelu>;
  static constexpr auto run_floor = run<FloatMap::kFloor>;
  static constexpr auto run_ceil = run<FloatMap::kCeil>;
  static constexpr auto run_round = run<FloatMap::kRound>;
  static constexpr auto run_softplus = run<FloatMap::kSoftplus>;
  static constexpr auto run_sin = run<FloatMap::kSin>;
  static constexpr auto run_cos = run<FloatMap::kCos>;
};
struct NoFloatMapRuns {
  static constexpr decltype(Form::run) run_sigmoid = nullptr, run_hard_sigmoid = nullptr,
                                       run_hard_swish = nullptr, run_swish = nullptr,
                                       run_leaky_relu = nullptr, run_tanh = nullptr,
                                       run_erf = nullptr, run_gelu = nullptr, run_exp = nullptr,
                                       run_log = nullptr, run_elu = nullptr, run_selu = nullptr,
                                       run_celu = nullptr, run_floor = nullptr, run_ceil = nullptr,
                                       run_round = nullptr, run_softplus = nullptr,
                                       run_sin = nullptr, run_cos = nullptr;
};

constexpr Form float_map_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .safe_distance = float_map_distance,
          .accepts = takes_float_map};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

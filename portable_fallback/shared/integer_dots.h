// Serves the forms of integer dot products on CPUs with vectors: weights lie in rows, as references
// read them, and so do the windows of four places. All have the same facts, so that a program runs
// with the best that its machine has.
#pragma once

#include "core/form.h"
#include "ops/attributes.h"
#include "ops/packings.h"
#include "portable_fallback/fast/integer_dots.h"

namespace arenite {

// Scratch of so many words of each thread behind those of all, which begin at a multiple of a
// vector's bytes.
ScratchNeed aligned_dot_scratch(uint32_t thread_words, uint64_t shared);
uint32_t* aligned_dot_words(const Step& step);
// Sets the results of products, of sums of so many products at most; `columns`: all outputs.
void set_dot_results(const Step& step, const Requantization& output, uint32_t depth,
                     IntegerProducts& p);

bool takes_dot_conv(const Step& step);
ScratchNeed dot_conv_scratch(const Step& step);
uint64_t dot_conv_distance(const Step& step, uint32_t input);
Status run_dot_conv(const Step& step, const Platform& platform, const IntegerDots& kernel);

bool takes_dot_matmul(const Step& step);
ScratchNeed dot_matmul_scratch(const Step& step);
uint64_t dot_matmul_distance(const Step& step, uint32_t input);
Status run_dot_matmul(const Step& step, const Platform& platform, const IntegerDots& kernel);

bool takes_dot_depthwise(const Step& step);
ScratchNeed dot_depthwise_scratch(const Step& step);
uint64_t dot_depthwise_distance(const Step& step, uint32_t input);
Status run_dot_depthwise(const Step& step, const Platform& platform, const DepthwiseDots& kernel);

// What forms of a kernel run; those of a kernel for another kind of CPU run nothing.
template <const IntegerDots& kKernel>
struct DotRuns {
  static Status run_conv(const Step& step, const Platform& platform) {
    return run_dot_conv(step, platform, kKernel);
  }
  static Status run_matmul(const Step& step, const Platform& platform) {
    return run_dot_matmul(step, platform, kKernel);
  }
};
struct NoDotRuns {
  static constexpr decltype(Form::run) run_conv = nullptr, run_matmul = nullptr;
};
template <const DepthwiseDots& kKernel>
struct DepthwiseDotRuns {
  static Status run_depthwise(const Step& step, const Platform& platform) {
    return run_dot_depthwise(step, platform, kKernel);
  }
};
struct NoDepthwiseDotRuns {
  static constexpr decltype(Form::run) run_depthwise = nullptr;
};

// The facts by the number of the plainest kin, without what runs.
constexpr Form dot_conv_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .scratch = dot_conv_scratch,
          .safe_distance = dot_conv_distance,
          .accepts = takes_dot_conv};
}
constexpr Form dot_matmul_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .scratch = dot_matmul_scratch,
          .safe_distance = dot_matmul_distance,
          .accepts = takes_dot_matmul};
}
constexpr Form dot_depthwise_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .scratch = dot_depthwise_scratch,
          .safe_distance = dot_depthwise_distance,
          .accepts = takes_dot_depthwise};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The dispatch of integer_pool.comp: an invocation for each element, or for as many as a word
// holds.
#include "kernels/dispatch/integer_pool.h"

#include "kernels/dispatch/integer_sums.h"
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/spatial_loops.h"

namespace arenite {
namespace {

constexpr uint32_t kAxes = 3;
constexpr uint32_t kChannelAxis = 1;
// Results of large windows take an invocation each where there are no more of them, though four
// share a word: on an H200 means of 7 x 7 places of 1280 channels take 9 us so, 17 with four an
// invocation.
constexpr uint64_t kFewResults = 1u << 14;
constexpr uint64_t kManyTaps = 16;

}  // namespace

Status emit_integer_pool(const Step& step, const IntegerWindows& pool, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const bool counted = pool.result == WindowResult::kCounted;
  const Operand multipliers = counted ? input_operand(step, 1) : x;
  const Requantization& output = pool.output;
  const uint32_t axes[kAxes] = {2, 3, 4};
  const Loops loops = spatial_loops(x, y, axes);
  const uint64_t taps = uint64_t{pool.kernel[0]} * pool.kernel[1] * pool.kernel[2];
  const bool alone = taps >= kManyTaps && loops.count() <= kFewResults;
  const bool words =
      !alone && are_words_of_four(x, kChannelAxis) && are_words_of_four(y, kChannelAxis);
  Stores stores = {element_type(y), loops.count()};
  if (words) {
    stores.invocations /= 4;
  } else if (!alone) {
    stores = stores_of(y, loops, 1, y.skip);
  }
  const auto axis = [&](uint32_t d) {
    return shaders::IntegerPool::Axis{.size = x.dims[2 + d],
                                      .x_stride = x.strides[2 + d],
                                      .kernel = pool.kernel[d],
                                      .stride = pool.stride[d],
                                      .dilation = pool.dilation[d],
                                      .pad_begin = pool.pad_begin[d]};
  };
  DispatchBuilder builder(shaders::IntegerPool{
      .spec = {.store = stores.kind,
               .type = integer_type(x),
               .rounding = output.rounding,
               .scaling = pool.result,
               .words = words},
      .push = {.count = static_cast<uint32_t>(loops.count()), .y_skip = y.skip},
      .parameters = {.rank = loops.rank,
                     .x_skip = x.skip,
                     .x_zero_point = pool.x_zero_point,
                     .multiplier = pool.multiplier,
                     .shift = pool.shift,
                     .output = output_words(output),
                     .multipliers_skip = multipliers.skip,
                     .multipliers_stride = counted ? multipliers.strides[0] : 0u,
                     .axes = {axis(0), axis(1), axis(2)},
                     .dims = shaders::dims_of(loops),
                     .x_strides = shaders::strides_of(loops, 0),
                     .y_strides = shaders::strides_of(loops, 1),
                     .codes = shaders::strides_of(loops, 2)}});
  builder.buffer(x).buffer(multipliers).buffer(y);
  return builder.run_invocations(sink, stores.invocations);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

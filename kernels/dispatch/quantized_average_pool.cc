// Means of windows of integers, through integer_pool.comp.
#include "kernels/dispatch/integer_pool.h"
#include "kernels/dispatch/row_files.h"

namespace arenite {
namespace {

Status emit_quantized_average_pool(const Step& step, const DispatchSink& sink) {
  const auto a = step.attributes<QuantizedAveragePoolAttributes>();
  const WindowResult result = step.has_input(1)   ? WindowResult::kCounted
                              : a.multiplier != 0 ? WindowResult::kOneMultiplier
                                                  : WindowResult::kMean;
  return emit_integer_pool(step,
                           {.result = result,
                            .kernel = a.kernel,
                            .stride = a.stride,
                            .dilation = a.dilation,
                            .pad_begin = a.pad_begin,
                            .x_zero_point = a.x_zero_point,
                            .multiplier = a.multiplier,
                            .shift = a.shift,
                            .output = a.output},
                           sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kIntegerPool,
     .types = types::kAny,
     .emit = emit_quantized_average_pool},
};

}  // namespace

std::span<const DispatchRow> quantized_average_pool_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

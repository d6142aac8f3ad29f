// Sums and means of integers along axes, through quantized_sum.comp.
#include "kernels/shaders/quantized_sum.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/rows.h"

namespace arenite {
namespace {

uint32_t choose_quantized_sum(const Step& step, const Capabilities&) {
  return choose_rows(step, step.attributes<QuantizedSumAttributes>().axes);
}

Status emit_quantized_sum(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<QuantizedSumAttributes>();
  const Rows rows = rows_along(step, attributes.axes);
  DispatchBuilder builder(
      shaders::QuantizedSum{.spec = {.group = rows.group,
                                     .op = step.op(),
                                     .type = integer_type(rows.x),
                                     .rounding = attributes.output.rounding},
                            .push = rows.push,
                            .parameters = {.x_zero_point = attributes.x_zero_point,
                                           .multiplier = attributes.multiplier,
                                           .shift = attributes.shift,
                                           .output = output_words(attributes.output)}});
  builder.buffer(rows.x).buffer(rows.y);
  return run_rows(rows, builder, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kQuantizedSum,
     .types = types::kAny,
     .emit = emit_quantized_sum,
     .choices = 2,
     .choose = choose_quantized_sum},
};

}  // namespace

std::span<const DispatchRow> quantized_sum_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

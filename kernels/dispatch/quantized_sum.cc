// Sums and means of integers along axes, through quantized_sum.comp.
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/rows.h"
#include "kernels/dispatch/rules.h"

namespace arenite {

bool supports_quantized_sum(const Step&) { return true; }

uint32_t choose_quantized_sum(const Step& step, const Capabilities&) {
  return choose_rows(step, step.attributes<QuantizedSumAttributes>().axes);
}

Status emit_quantized_sum(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<QuantizedSumAttributes>();
  const Requantisation& output = attributes.output;
  RowWork work = {
      .shader = Shader::kQuantizedSum,
      .axes = attributes.axes,
      .group = step.record().choice == 1,
      .spec = {integer_type(input_operand(step, 0)), static_cast<uint32_t>(output.rounding)},
      .spec_count = 2};
  for (const int32_t number : {attributes.x_zero_point, attributes.multiplier, attributes.shift,
                               output.zero_point, output.low, output.high}) {
    work.add_parameter(static_cast<uint32_t>(number));
  }
  return emit_rows(step, work, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Shares of exponentials of integers along axes, through quantized_softmax.comp.
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/rows.h"
#include "kernels/dispatch/rules.h"

namespace arenite {
namespace {

// kKind of the shader.
uint32_t kind_of(const Step& step) { return step.has_input(2) ? 1u : step.has_input(1) ? 2u : 0u; }

// Whether the results of a row lie side by side, so that they are written a word at a time.
bool is_run(const Operand& y, uint32_t axes) {
  uint32_t count = 0;
  for (uint32_t d = 0; d < y.rank; ++d) {
    if ((axes >> d & 1u) == 0 || y.dims[d] == 1) continue;
    if (++count > 1 || y.strides[d] != 1) return false;
  }
  return count == 1;
}

}  // namespace

bool supports_quantized_softmax(const Step&) { return true; }

uint32_t choose_quantized_softmax(const Step& step, const Capabilities&) {
  return choose_rows(step, step.attributes<QuantizedSoftmaxAttributes>().axes);
}

Status emit_quantized_softmax(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<QuantizedSoftmaxAttributes>();
  const Requantisation& output = attributes.output;
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const Operand table = step.has_input(1) ? input_operand(step, 1) : x;
  const Operand reciprocals = step.has_input(2) ? input_operand(step, 2) : x;
  RowWork work = {
      .shader = Shader::kQuantizedSoftmax,
      .axes = attributes.axes,
      .group = step.record().choice == 1,
      .spec = {integer_type(x), integer_type(y), kind_of(step), is_run(y, attributes.axes)},
      .spec_count = 4,
      .tables = {table, reciprocals},
      .table_count = 2};
  for (const int32_t number : {attributes.multiplier, attributes.shift, attributes.diff_min,
                               output.zero_point, output.low, output.high}) {
    work.add_parameter(static_cast<uint32_t>(number));
  }
  const bool tabled = step.has_input(1);
  const bool interpolated = step.has_input(2);
  work.add_parameter(table.skip);
  work.add_parameter(tabled ? table.strides[0] : 0);
  work.add_parameter(tabled && !interpolated ? table.strides[1] : 0);
  work.add_parameter(reciprocals.skip);
  work.add_parameter(interpolated ? reciprocals.strides[0] : 0);
  return emit_rows(step, work, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

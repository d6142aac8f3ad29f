// Shares of exponentials of integers along axes, through quantized_softmax.comp.
#include "kernels/shaders/quantized_softmax.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/rows.h"

namespace arenite {
namespace {

using Kind = shaders::QuantizedSoftmax::Kind;

Kind kind_of(const Step& step) {
  return step.has_input(2)   ? Kind::kInterpolated
         : step.has_input(1) ? Kind::kTabled
                             : Kind::kFixedPoint;
}

// Whether the results of a row lie side by side, so that they are written a word at a time.
bool is_run(const Operand& y, uint32_t axes) {
  uint32_t count = 0;
  for (uint32_t d = 0; d < y.rank; ++d) {
    if ((axes >> d & 1u) == 0 || y.dims[d] == 1) continue;
    if (++count > 1 || y.strides[d] != 1) return false;
  }
  return count == 1;
}

uint32_t choose_quantized_softmax(const Step& step, const Capabilities&) {
  return choose_rows(step, step.attributes<QuantizedSoftmaxAttributes>().axes);
}

Status emit_quantized_softmax(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<QuantizedSoftmaxAttributes>();
  const Rows rows = rows_along(step, attributes.axes);
  const Operand& x = rows.x;
  const Operand& y = rows.y;
  const Operand table = step.has_input(1) ? input_operand(step, 1) : x;
  const Operand reciprocals = step.has_input(2) ? input_operand(step, 2) : x;
  const bool tabled = step.has_input(1);
  const bool interpolated = step.has_input(2);
  const uint32_t table_strides[] = {tabled ? table.strides[0] : 0,
                                    tabled && !interpolated ? table.strides[1] : 0};
  DispatchBuilder builder(shaders::QuantizedSoftmax{
      .spec = {.group = rows.group,
               .op = step.op(),
               .type_x = integer_type(x),
               .type_y = integer_type(y),
               .kind = kind_of(step),
               .run = is_run(y, attributes.axes)},
      .push = rows.push,
      .parameters = {.multiplier = attributes.multiplier,
                     .shift = attributes.shift,
                     .diff_min = attributes.diff_min,
                     .output = output_words(attributes.output),
                     .table_skip = table.skip,
                     .table_strides = table_strides,
                     .reciprocals_skip = reciprocals.skip,
                     .reciprocals_stride = interpolated ? reciprocals.strides[0] : 0u}});
  builder.buffer(x).buffer(y).buffer(table).buffer(reciprocals);
  return run_rows(rows, builder, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kQuantizedSoftmax,
     .types = types::kAny,
     .emit = emit_quantized_softmax,
     .choices = 2,
     .choose = choose_quantized_softmax},
};

}  // namespace

std::span<const DispatchRow> quantized_softmax_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

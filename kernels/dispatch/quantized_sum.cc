// Sums and means of integers along axes, through quantized_sum.comp.
#include "kernels/shaders/quantized_sum.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/rows.h"

namespace arenite {
namespace {

uint32_t axes_of(const Step& step) { return step.attributes<QuantizedSumAttributes>().axes; }

bool accepts_quantized_sum(const Step& step) {
  return step.record().choice != kInTwoPasses ||
         (input_operand(step, 0).count() != 0 && axes_of(step) != 0);
}

uint32_t choose_quantized_sum(const Step& step, const Capabilities&) {
  return pays_in_two_passes(step, axes_of(step)) ? kInTwoPasses : choose_rows(step, axes_of(step));
}

uint64_t scratch_bytes_of_quantized_sum(const Step& step) {
  return step.record().choice == kInTwoPasses ? bytes_between_passes(step, axes_of(step)) : 0;
}

Status emit_pass(const Step& step, const Rows& rows, bool parts, const DispatchSink& sink) {
  const auto attributes = step.attributes<QuantizedSumAttributes>();
  const uint64_t results = output_operand(step, 0).count();
  const uint64_t count = results == 0 ? 0 : input_operand(step, 0).count() / results;
  DispatchBuilder builder(
      shaders::QuantizedSum{.spec = {.group = rows.group,
                                     .op = step.op(),
                                     .type = integer_type(rows.x),
                                     .type_y = integer_type(rows.y),
                                     .parts = parts,
                                     .rounding = attributes.output.rounding},
                            .push = rows.push,
                            .parameters = {.count = static_cast<uint32_t>(count),
                                           .x_zero_point = attributes.x_zero_point,
                                           .multiplier = attributes.multiplier,
                                           .shift = attributes.shift,
                                           .output = output_words(attributes.output)}});
  builder.buffer(rows.x).buffer(rows.y);
  return run_rows(rows, builder, sink);
}

Status emit_quantized_sum(const Step& step, const DispatchSink& sink) {
  if (step.record().choice != kInTwoPasses) {
    return emit_pass(step, rows_along(step, axes_of(step)), false, sink);
  }
  const RowsInTwo rows = rows_in_two_passes(step, axes_of(step), DType::kInt32);
  ARENITE_TRY(emit_pass(step, rows.first, true, sink));
  return emit_pass(step, rows.rest, false, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kQuantizedSum,
     .types = types::kAny,
     .accepts = accepts_quantized_sum,
     .emit = emit_quantized_sum,
     .choices = 3,
     .choose = choose_quantized_sum,
     .scratch_bytes = scratch_bytes_of_quantized_sum},
};

}  // namespace

std::span<const DispatchRow> quantized_sum_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

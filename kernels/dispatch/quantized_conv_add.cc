// Quantized convolutions of bytes to whose results a residual comes, in one dispatch.
#include "kernels/shaders/quantized_conv_add.h"

#include "kernels/dispatch/binding.h"
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/whole_conv.h"
#include "kernels/shaders/shared/each_element.h"

namespace arenite {
namespace {

constexpr uint32_t kEndsInput = 2;

WholeConv conv_of(const Step& step) {
  return whole_conv(step, Shader::kQuantizedConvAdd,
                    crosses_rows_in_one_stride(input_operand(step, kResidualInput)));
}

bool accepts_quantized_conv_add(const Step& step) {
  return accepts_integer_sums(step) && is_uniform(step.bindings(), step.input_value(kEndsInput)) &&
         suits_tile(step, conv_of(step));
}

uint32_t choose_quantized_conv_add(const Step& step, const Capabilities&) {
  return choose_whole_tile(conv_of(step));
}

shaders::WholeWords whole_words(const WholeConv& conv) {
  const IntegerSumPass& pass = conv.pass;
  return {.depth = pass.depth,
          .x_step = pass.x_step,
          .w_step = pass.w_step,
          .x_zero = conv.attributes.x_zero_point,
          .w_zero = conv.attributes.w_zero_point,
          .above = pass.above,
          .x_skip = conv.operands.x.skip,
          .w_skip = conv.operands.w.skip,
          .bias_skip = 0u,
          .sum_skip = conv.operands.y.skip,
          .x_zero_skip = 0u,
          .w_zero_skip = 0u,
          .multiplier_skip = 0u,
          .multiplier_stride = 0u,
          .shift_skip = 0u,
          .shift_stride = 0u,
          .output = output_words(conv.attributes.output)};
}

Status emit_quantized_conv_add(const Step& step, const DispatchSink& sink) {
  const WholeConv conv = conv_of(step);
  const WholeTile tile = whole_tile(step.record().choice);
  const Operand& x = conv.operands.x;
  const Operand& w = conv.operands.w;
  const Operand& y = conv.operands.y;
  const Operand ends = input_operand(step, kEndsInput), r = input_operand(step, kResidualInput);
  const auto sum = step.attributes<QuantizedConvAddAttributes>().sum;
  const uint64_t tiles = tiles_of(conv, 1u << tile.places_log);
  const bool whole_blocks = conv.pass.outputs % 4 == 0;
  DispatchBuilder builder(shaders::QuantizedConvAdd{
      .spec = {.store = element_type(y) |
                        (whole_blocks && are_words_of_four(y, kChannelAxis) ? shaders::kRun : 0u),
               .type_x = integer_type(x),
               .type_w = integer_type(w),
               .type_r = integer_type(r),
               .words = conv.pass.words,
               .words_r = whole_blocks && are_words_of_four(r, kChannelAxis),
               .rounding = conv.attributes.output.rounding,
               .sum_rounding = sum.output.rounding,
               .slices = 1u << tile.slices_log,
               .places = 1u << tile.places_log},
      .push = {.count = static_cast<uint32_t>(tiles)},
      .parameters = {.whole = whole_words(conv),
                     .own = conv_words(conv.operands, conv.attributes, conv.image, conv.channels),
                     .ends_skip = ends.skip,
                     .ends_strides = shaders::first_of(ends.strides),
                     .r_skip = r.skip,
                     .r_image = r.strides[0],
                     .r_output = r.strides[1],
                     .r_strides = shaders::first_of(r.strides + 2),
                     .scaled = scaled_sum_words(sum),
                     .sum_zero_point = sum.output.zero_point,
                     .sum_low = sum.output.low,
                     .sum_high = sum.output.high}});
  builder.buffer(x).buffer(w).buffer(r).buffer(y).uniform(ends);
  return builder.run_invocations(sink, tiles << tile.slices_log);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kQuantizedConvAdd,
     .types = types::kByte,
     .accepts = accepts_quantized_conv_add,
     .emit = emit_quantized_conv_add,
     .choices = kWholeChoices,
     .choose = choose_quantized_conv_add},
};

}  // namespace

std::span<const DispatchRow> quantized_conv_add_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

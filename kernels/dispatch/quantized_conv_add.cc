// Quantized convolutions of bytes to whose results a residual comes, in one dispatch.
#include "kernels/shaders/quantized_conv_add.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/whole_conv.h"
#include "ops/quantized_conv_ends.h"

namespace arenite {
namespace {

WholeConv conv_of(const Step& step) {
  return whole_conv(step, Shader::kQuantizedConvAdd,
                    crosses_rows_in_one_stride(input_operand(step, kResidualInput)));
}

bool accepts_quantized_conv_add(const Step& step) {
  return accepts_joined_conv(step, conv_of(step));
}

uint32_t choose_quantized_conv_add(const Step& step, const Capabilities&) {
  return choose_whole_tile(conv_of(step));
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
  DispatchBuilder builder(shaders::QuantizedConvAdd{
      .spec = {.store = store_of(conv),
               .type_x = integer_type(x),
               .type_w = integer_type(w),
               .type_r = integer_type(r),
               .words = conv.pass.words,
               .words_r = conv.pass.outputs % 4 == 0 && are_words_of_four(r, kChannelAxis),
               .rounding = conv.attributes.output.rounding,
               .sum_rounding = sum.output.rounding,
               .slices = 1u << tile.slices_log,
               .places = 1u << tile.places_log},
      .push = {.count = static_cast<uint32_t>(tiles)},
      .parameters = {.whole = joined_conv_words(conv),
                     .own = conv_words(conv),
                     .ends = ends_words(ends),
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

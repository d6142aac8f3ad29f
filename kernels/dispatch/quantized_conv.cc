// Quantized convolutions in one dispatch, or in two where they need more than that has: of any
// integers, and of bytes with four products an instruction.
#include "kernels/shaders/quantized_conv.h"

#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/whole_conv.h"
#include "kernels/shaders/quantized_conv_dot.h"
#include "kernels/shaders/quantized_conv_whole.h"
#include "kernels/shaders/quantized_conv_whole_dot.h"

namespace arenite {
namespace {

static_assert(kTakesSums<shaders::QuantizedConv> && kTakesSums<shaders::QuantizedConvDot>);
static_assert(kTakesWhole<shaders::QuantizedConvWhole> &&
              kTakesWhole<shaders::QuantizedConvWholeDot>);

QuantizedProduct product_of(const QuantizedConvAttributes& a) {
  return {a.x_zero_point, a.w_zero_point, a.outside, a.output};
}

Status emit_conv_of(const Step& step, Shader shader, const DispatchSink& sink) {
  const IntegerSumStep operands(step);
  const auto a = step.attributes<QuantizedConvAttributes>();
  auto [pass, channels] = channel_sums(operands, a.groups, shader);
  pass.above = static_cast<uint32_t>(a.outside - a.x_zero_point);
  return emit_integer_sums(
      step, operands, pass,
      conv_words(operands, a, conv_image(operands), conv_columns(operands, a), channels),
      product_of(a), sink);
}

uint32_t choose_quantized_conv(const Step& step, const Capabilities&) {
  const IntegerSumStep operands(step);
  const auto a = step.attributes<QuantizedConvAttributes>();
  const IntegerSumPass pass = channel_sums(operands, a.groups, Shader::kQuantizedConv).pass;
  return choose_sum_slices(operands, pass, uint64_t{operands.w.dims[2]} * operands.w.dims[3]);
}

bool accepts_whole_conv(const Step& step) {
  return accepts_whole(step, kChannelAxis) &&
         suits_tile(step, whole_conv(step, Shader::kQuantizedConvWhole));
}

uint32_t choose_whole_conv(const Step& step, const Capabilities&) {
  return choose_whole_tile(whole_conv(step, Shader::kQuantizedConvWhole));
}

Status emit_whole_conv_of(const Step& step, Shader shader, const DispatchSink& sink) {
  WholeConv conv = whole_conv(step, shader);
  conv.pass.invocations = tiles_of(conv, 1u << whole_tile(step.record().choice).places_log);
  return emit_whole(step, conv.operands, conv.pass, kChannelAxis, conv_words(conv),
                    product_of(conv.attributes), sink);
}

Status emit_whole_conv(const Step& step, const DispatchSink& sink) {
  return emit_whole_conv_of(step, Shader::kQuantizedConvWhole, sink);
}

Status emit_whole_conv_dot(const Step& step, const DispatchSink& sink) {
  return emit_whole_conv_of(step, Shader::kQuantizedConvWholeDot, sink);
}

bool accepts_quantized_conv(const Step& step) { return accepts_integer_sums(step); }

Status emit_quantized_conv(const Step& step, const DispatchSink& sink) {
  return emit_conv_of(step, Shader::kQuantizedConv, sink);
}

bool accepts_quantized_conv_dot(const Step& step) {
  const Operand x = input_operand(step, 0);
  const Operand w = input_operand(step, 1);
  return accepts_integer_sums(step) && w.dims[1] % 4 == 0 && are_words_of_four(x, 1) &&
         are_words_of_four(w, 1);
}

bool accepts_whole_conv_dot(const Step& step) {
  const WordUse words = whole_conv(step, Shader::kQuantizedConvWholeDot).pass.words;
  return accepts_whole_conv(step) &&
         (words == WordUse::kWordsOfRows || accepts_quantized_conv_dot(step));
}

Status emit_quantized_conv_dot(const Step& step, const DispatchSink& sink) {
  return emit_conv_of(step, Shader::kQuantizedConvDot, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 3,
     .shader = Shader::kQuantizedConvWholeDot,
     .types = types::kByte,
     .accepts = accepts_whole_conv_dot,
     .emit = emit_whole_conv_dot,
     .choices = kWholeChoices,
     .choose = choose_whole_conv},
    {.form = 2,
     .shader = Shader::kQuantizedConvWhole,
     .types = types::kAny,
     .accepts = accepts_whole_conv,
     .emit = emit_whole_conv,
     .choices = kWholeChoices,
     .choose = choose_whole_conv},
    {.form = 1,
     .shader = Shader::kQuantizedConvDot,
     .types = types::kByte,
     .accepts = accepts_quantized_conv_dot,
     .emit = emit_quantized_conv_dot,
     .choices = kSumChoices,
     .choose = choose_quantized_conv,
     .scratch_bytes = scratch_bytes_of_integer_sums},
    {.form = 0,
     .shader = Shader::kQuantizedConv,
     .types = types::kAny,
     .accepts = accepts_quantized_conv,
     .emit = emit_quantized_conv,
     .choices = kSumChoices,
     .choose = choose_quantized_conv,
     .scratch_bytes = scratch_bytes_of_integer_sums},
};

}  // namespace

std::span<const DispatchRow> quantized_conv_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Quantized convolutions: of any integers, and of int8 with four products an instruction.
#include "kernels/shaders/quantized_conv.h"

#include "kernels/dispatch/integer_sums.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/shaders/quantized_conv_dot.h"
#include "kernels/shaders/shared/quantized_conv.h"

namespace arenite {
namespace {

static_assert(kTakesSums<shaders::QuantizedConv> && kTakesSums<shaders::QuantizedConvDot>);

QuantizedProduct product_of(const QuantizedConvAttributes& a) {
  return {a.x_zero_point, a.w_zero_point, a.outside, a.output};
}

Status emit_conv_of(const Step& step, Shader shader, const DispatchSink& sink) {
  const IntegerSumStep operands(step);
  const auto a = step.attributes<QuantizedConvAttributes>();
  const Operand& x = operands.x;
  const Operand& w = operands.w;
  const Operand& y = operands.y;
  auto [pass, channels] = channel_sums(operands, a.groups, shader);
  pass.above = static_cast<uint32_t>(a.outside - a.x_zero_point);
  const shaders::ConvOwn own = {.channels = channels,
                                .height = x.dims[2],
                                .width = x.dims[3],
                                .out_height = y.dims[2],
                                .out_width = y.dims[3],
                                .kernel = shaders::first_of(w.dims + 2),
                                .stride = a.stride,
                                .dilation = a.dilation,
                                .pad = shaders::first_of(a.pad_begin),
                                .x_strides = shaders::first_of(x.strides + 2),
                                .w_strides = shaders::first_of(w.strides + 2),
                                .sum_strides = shaders::first_of(operands.sums.strides + 2)};
  return emit_integer_sums(step, operands, pass, own, product_of(a), sink);
}

uint32_t choose_quantized_conv(const Step& step, const Capabilities&) {
  const IntegerSumStep operands(step);
  const auto a = step.attributes<QuantizedConvAttributes>();
  const IntegerSumPass pass = channel_sums(operands, a.groups, Shader::kQuantizedConv).pass;
  return choose_sum_slices(operands, pass, uint64_t{operands.w.dims[2]} * operands.w.dims[3]);
}

bool accepts_quantized_conv(const Step& step) { return accepts_integer_sums(step); }

Status emit_quantized_conv(const Step& step, const DispatchSink& sink) {
  return emit_conv_of(step, Shader::kQuantizedConv, sink);
}

bool accepts_quantized_conv_dot(const Step& step) {
  const Operand x = input_operand(step, 0);
  const Operand w = input_operand(step, 1);
  return accepts_integer_sums(step) && w.dtype == DType::kInt8 && w.dims[1] % 4 == 0 &&
         are_words_of_four(x, 1) && are_words_of_four(w, 1);
}

Status emit_quantized_conv_dot(const Step& step, const DispatchSink& sink) {
  return emit_conv_of(step, Shader::kQuantizedConvDot, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 1,
     .shader = Shader::kQuantizedConvDot,
     .types = types::kInt8,
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

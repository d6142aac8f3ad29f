// Quantized transposed convolutions.
#include "kernels/shaders/quantized_conv_transpose.h"

#include "kernels/dispatch/integer_sums.h"
#include "kernels/dispatch/row_files.h"
#include "ops/window.h"

namespace arenite {
namespace {

static_assert(kTakesSums<shaders::QuantizedConvTranspose>);

bool accepts_quantized_conv_transpose(const Step& step) { return accepts_integer_sums(step); }

Status emit_quantized_conv_transpose(const Step& step, const DispatchSink& sink) {
  const IntegerSumStep operands(step);
  const auto a = step.attributes<QuantizedConvTransposeAttributes>();
  const Operand& x = operands.x;
  const Operand& w = operands.w;
  const Operand& y = operands.y;
  const auto [pass, channels] = channel_sums(operands, a.groups, Shader::kQuantizedConvTranspose);
  const auto axis = [&](uint32_t d) {
    const TransposedWindow window(x.dims[2 + d], w.dims[2 + d], a.stride[d], a.dilation[d],
                                  a.pad_begin[d]);
    return shaders::Axis{.input = window.input,
                         .output = y.dims[2 + d],
                         .kernel = window.kernel,
                         .stride = window.stride,
                         .dilation = window.dilation,
                         .pad_begin = window.pad_begin,
                         .tap_step = window.tap_step,
                         .input_step = window.input_step};
  };
  const shaders::QuantizedConvTranspose::Own own = {
      .channels = channels,
      .x_strides = shaders::first_of(x.strides + 2),
      .w_strides = shaders::first_of(w.strides + 2),
      .sum_strides = shaders::first_of(operands.sums.strides + 2),
      .axes = {axis(0), axis(1), axis(2)}};
  return emit_integer_sums(step, operands, pass, own, {a.x_zero_point, a.w_zero_point, 0, a.output},
                           sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kQuantizedConvTranspose,
     .types = types::kAny,
     .accepts = accepts_quantized_conv_transpose,
     .emit = emit_quantized_conv_transpose,
     .scratch_bytes = scratch_bytes_of_integer_sums},
};

}  // namespace

std::span<const DispatchRow> quantized_conv_transpose_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

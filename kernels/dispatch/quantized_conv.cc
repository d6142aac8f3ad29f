// Quantised convolutions: of any integers, and of int8 with four products an instruction.
#include "kernels/dispatch/integer_sums.h"
#include "kernels/dispatch/rules.h"

namespace arenite {
namespace {

QuantisedProduct product_of(const QuantizedConvAttributes& a) {
  return {a.x_zero_point, a.w_zero_point, a.outside, a.output};
}

Status emit_conv_of(const Step& step, Shader shader, const DispatchSink& sink) {
  const IntegerSumStep operands(step);
  const auto a = step.attributes<QuantizedConvAttributes>();
  const Operand& x = operands.x;
  const Operand& w = operands.w;
  const Operand& y = operands.y;
  IntegerSumPass pass = channel_sums(operands, a.groups, shader);
  pass.above = static_cast<uint32_t>(a.outside - a.x_zero_point);
  pass.add(x.dims[2]).add(x.dims[3]).add(y.dims[2]).add(y.dims[3]);
  pass.add(w.dims[2]).add(w.dims[3]).add(a.stride[0]).add(a.stride[1]);
  pass.add(a.dilation[0]).add(a.dilation[1]).add(a.pad_begin[0]).add(a.pad_begin[1]);
  pass.add(x.strides[2]).add(x.strides[3]).add(w.strides[2]).add(w.strides[3]);
  pass.add(operands.sums.strides[2]).add(operands.sums.strides[3]);
  return emit_integer_sums(step, operands, pass, product_of(a), sink);
}

}  // namespace

bool supports_quantized_conv(const Step& step) { return supports_integer_sums(step); }

Status emit_quantized_conv(const Step& step, const DispatchSink& sink) {
  return emit_conv_of(step, Shader::kQuantizedConv, sink);
}

bool supports_quantized_conv_dot(const Step& step) {
  const Operand x = input_operand(step, 0);
  const Operand w = input_operand(step, 1);
  return supports_integer_sums(step) && x.dtype == DType::kInt8 && w.dtype == DType::kInt8 &&
         w.dims[1] % 4 == 0 && are_words_of_four(x, 1) && are_words_of_four(w, 1);
}

Status emit_quantized_conv_dot(const Step& step, const DispatchSink& sink) {
  return emit_conv_of(step, Shader::kQuantizedConvDot, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

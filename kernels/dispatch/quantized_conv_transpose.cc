// Quantised transposed convolutions.
#include "kernels/dispatch/integer_sums.h"
#include "kernels/dispatch/rules.h"
#include "ops/window.h"

namespace arenite {

bool supports_quantized_conv_transpose(const Step& step) { return supports_integer_sums(step); }

Status emit_quantized_conv_transpose(const Step& step, const DispatchSink& sink) {
  const IntegerSumStep operands(step);
  const auto a = step.attributes<QuantizedConvTransposeAttributes>();
  const Operand& x = operands.x;
  const Operand& w = operands.w;
  const Operand& y = operands.y;
  IntegerSumPass pass = channel_sums(operands, a.groups, Shader::kQuantizedConvTranspose);
  for (const uint32_t* strides : {x.strides, w.strides, operands.sums.strides}) {
    pass.add(strides[2]).add(strides[3]).add(strides[4]);
  }
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const TransposedWindow window(x.dims[2 + axis], w.dims[2 + axis], a.stride[axis],
                                  a.dilation[axis], a.pad_begin[axis]);
    pass.add(window.input).add(y.dims[2 + axis]).add(window.kernel);
    pass.add(window.stride).add(window.dilation).add(window.pad_begin);
    pass.add(window.tap_step).add(window.input_step);
  }
  return emit_integer_sums(step, operands, pass, {a.x_zero_point, a.w_zero_point, 0, a.output},
                           sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

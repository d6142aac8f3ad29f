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
  // Blocks of four outputs span groups of one channel each.
  const bool depthwise = w.dims[1] == 1 && w.dims[0] == a.groups;
  const uint32_t groups = depthwise ? 1 : a.groups;
  const uint32_t group_outputs = w.dims[0] / groups;
  IntegerSumPass pass;
  pass.shader = Shader::kQuantizedConvTranspose;
  pass.depth = w.dims[1];
  pass.x_step = x.strides[1];
  pass.w_step = w.strides[1];
  pass.above = 0;
  pass.words = WordUse::kBytes;
  if (depthwise && are_words_of_four(x, 1) && are_words_of_four(w, 0)) {
    pass.words = WordUse::kOfSums;
  } else if (!depthwise && w.dims[1] % 4 == 0 && are_words_of_four(x, 1) &&
             are_words_of_four(w, 1)) {
    pass.words = WordUse::kOfRuns;
  }
  const uint64_t quads = (uint64_t{group_outputs} + 3) / 4;
  pass.invocations = quads * groups * y.dims[0] * y.dims[2] * y.dims[3] * y.dims[4];
  pass.add(groups).add(group_outputs);
  pass.add(depthwise ? x.strides[1] : 0).add(depthwise ? 0 : w.dims[1] * x.strides[1]);
  for (const uint32_t d : {0u, 2u, 3u, 4u}) pass.add(x.strides[d]);
  for (const uint32_t d : {0u, 2u, 3u, 4u}) pass.add(w.strides[d]);
  for (uint32_t d = 0; d < 5; ++d) pass.add(operands.sums.strides[d]);
  pass.add(operands.has_bias ? operands.bias.strides[0] : 0);
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

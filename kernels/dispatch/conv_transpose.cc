// Transposed convolutions: an invocation of conv_transpose.comp for each output element.
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/weights.h"
#include "ops/window.h"

namespace arenite {

bool supports_conv_transpose(const Step& step) {
  if (!is_float(input_operand(step, 0)) || !is_weights(input_operand(step, 1))) return false;
  const Operand y = output_operand(step, 0);
  return is_float(y) && y.rank == 5 && y.count() < kMaxInvocations;
}

Status emit_conv_transpose(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand w = input_operand(step, 1);
  const bool has_bias = step.has_input(2);
  const Operand bias = has_bias ? input_operand(step, 2) : w;
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<ConvTransposeAttributes>();
  DispatchBuilder builder(Shader::kConvTranspose);
  builder.buffer(x).buffer(w).buffer(bias).buffer(y);
  builder.spec(static_cast<uint32_t>(attributes.activation.kind)).spec(has_bias);
  builder.spec(w.layout == Layout::kPanel16).spec(weights_type(w));
  builder.parameter(static_cast<uint32_t>(y.count())).parameter(w.dims[1]);
  builder.parameter(y.dims[1]).parameter(y.dims[1] / attributes.groups);
  builder.parameter(x.skip).parameter(w.skip).parameter(bias.skip).parameter(y.skip);
  builder.parameter(has_bias ? bias.strides[0] : 0u);
  builder.parameter(attributes.activation.a).parameter(attributes.activation.b);
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const TransposedWindow window(x.dims[2 + axis], w.dims[2 + axis], attributes.stride[axis],
                                  attributes.dilation[axis], attributes.pad_begin[axis]);
    builder.parameter(window.input).parameter(y.dims[2 + axis]).parameter(window.kernel);
    builder.parameter(window.stride).parameter(window.dilation).parameter(window.pad_begin);
    builder.parameter(window.tap_step).parameter(window.input_step);
  }
  for (const Operand* operand : {&x, &w, &y}) {
    for (uint32_t d = 0; d < 5; ++d) builder.parameter(operand->strides[d]);
  }
  builder.fill_parameters();
  return builder.run_invocations(sink, y.count());
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Dispatches of convolutions over three spatial dims: an invocation for each output element
// (glsl/include/conv_volume.glsl).
#pragma once

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/weights.h"

namespace arenite {

inline bool supports_conv_volume(const Step& step) {
  if (!is_float(input_operand(step, 0)) || !is_weights(input_operand(step, 1))) return false;
  const Operand y = output_operand(step, 0);
  return is_float(y) && y.rank == 5 && y.count() < kMaxInvocations;
}

// Of attributes `a`; along(axis, x, w): the window along a spatial axis.
template <typename Attributes, typename Along>
Status emit_conv_volume(const Step& step, Shader shader, const Attributes& a, Along along,
                        const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand w = input_operand(step, 1);
  const bool has_bias = step.has_input(2);
  const Operand bias = has_bias ? input_operand(step, 2) : w;
  const Operand y = output_operand(step, 0);
  DispatchBuilder builder(shader);
  builder.buffer(x).buffer(w).buffer(bias).buffer(y);
  builder.spec(static_cast<uint32_t>(a.activation.kind)).spec(has_bias);
  builder.spec(w.layout == Layout::kPanel16).spec(weights_type(w));
  builder.parameter(static_cast<uint32_t>(y.count())).parameter(w.dims[1]);
  builder.parameter(y.dims[1]).parameter(y.dims[1] / a.groups);
  builder.parameter(x.skip).parameter(w.skip).parameter(bias.skip).parameter(y.skip);
  builder.parameter(has_bias ? bias.strides[0] : 0u);
  builder.parameter(a.activation.a).parameter(a.activation.b);
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const auto window = along(axis, x, w);
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

// Dispatches of convolutions over three spatial dims: an invocation for each output element
// (glsl/include/conv_volume.glsl).
#pragma once

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/weights.h"
#include "kernels/shaders/shared/conv_volume.h"

namespace arenite {

inline bool accepts_conv_volume(const Step& step) {
  const Operand y = output_operand(step, 0);
  return y.rank == 5 && y.count() < kMaxInvocations;
}

// `a` are the step's attributes; along(axis, x, w) gives the window along a spatial axis.
template <typename VolumeShader, typename Attributes, typename Along>
Status emit_conv_volume(const Step& step, const Attributes& a, Along along,
                        const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand w = input_operand(step, 1);
  const bool has_bias = step.has_input(2);
  const Operand bias = has_bias ? input_operand(step, 2) : w;
  const Operand y = output_operand(step, 0);
  const auto axis = [&](uint32_t d) {
    const auto window = along(d, x, w);
    return shaders::Axis{.input = window.input,
                         .output = y.dims[2 + d],
                         .kernel = window.kernel,
                         .stride = window.stride,
                         .dilation = window.dilation,
                         .pad_begin = window.pad_begin,
                         .tap_step = window.tap_step,
                         .input_step = window.input_step};
  };
  DispatchBuilder builder(
      VolumeShader{.spec = {.activation = a.activation.kind,
                            .has_bias = has_bias,
                            .panels = w.layout == Layout::kPanel16,
                            .weights = weights_type(w)},
                   .parameters = {.count = static_cast<uint32_t>(y.count()),
                                  .channels = w.dims[1],
                                  .outputs = y.dims[1],
                                  .group_outputs = y.dims[1] / a.groups,
                                  .x_skip = x.skip,
                                  .w_skip = w.skip,
                                  .bias_skip = bias.skip,
                                  .y_skip = y.skip,
                                  .bias_stride = has_bias ? bias.strides[0] : 0u,
                                  .activation_a = a.activation.a,
                                  .activation_b = a.activation.b,
                                  .axes = {axis(0), axis(1), axis(2)},
                                  .x_strides = shaders::first_of(x.strides),
                                  .w_strides = shaders::first_of(w.strides),
                                  .y_strides = shaders::first_of(y.strides)}});
  builder.buffer(x).buffer(w).buffer(bias).buffer(y);
  return builder.run_invocations(sink, y.count());
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

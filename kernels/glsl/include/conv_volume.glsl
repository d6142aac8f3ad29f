// Convolutions over three spatial dims: operands, parameters, and the sum over the taps that reach
// an output, one invocation for each. A shader defines `taps_of` and includes this.
/* words
use activation
use weights
use transposed_taps
struct ConvVolumeSpec
  ActivationKind activation
  bool has_bias = true
  bool panels
  WeightsType weights  // their type
struct ConvVolumeWords
  uint count, channels, outputs, group_outputs, x_skip, w_skip, bias_skip, y_skip, bias_stride
  float activation_a, activation_b
  Axis axes[3]
  uint x_strides[5], w_strides[5], y_strides[5]
*/
#include "grid.glsl"
#include "activation.glsl"
#include "floats.glsl"
#include "parameters.glsl"

#include "weights.glsl"

layout(set = 0, binding = 0) readonly buffer X { stored x[]; };
layout(set = 0, binding = 2) readonly buffer Bias { stored bias[]; };
layout(set = 0, binding = 3) writeonly buffer Y { stored y[]; };

// Along one axis: the first tap that reaches the output at `at_y`, the input that it takes, and the
// count of taps. The next ones are a tap step apart, their inputs an input step before.
void taps_of(uint axis, uint at_y, out uint first, out uint position, out uint count);

void main() {
  uint rest = grid_index();
  if (rest >= parameter(kCount)) return;
  uint quotient = rest / parameter(kOutputs);
  uint o = rest - quotient * parameter(kOutputs);
  uint y_at = parameter(kYSkip) + o * parameter(kYStrides + 1u);
  uint first[3], position[3], count[3];
  for (uint back = 0u; back < 3u; ++back) {
    uint axis = 2u - back;
    uint size = parameter(kAxes + kAxisWords * axis + kAxisOutput);
    rest = quotient;
    quotient = rest / size;
    uint at = rest - quotient * size;
    y_at += at * parameter(kYStrides + 2u + axis);
    taps_of(axis, at, first[axis], position[axis], count[axis]);
  }
  uint n = quotient;
  y_at += n * parameter(kYStrides);
  uint channels = parameter(kChannels);
  uint x_first = parameter(kXSkip) + n * parameter(kXStrides) +
                 o / parameter(kGroupOutputs) * channels * parameter(kXStrides + 1u);
  uint w_first, w_channel, w_tap[3];
  if (kPanels) {
    w_channel = 16u;
    w_tap[2] = channels * 16u;
    w_tap[1] = w_tap[2] * parameter(kAxes + kAxisWords * 2u + kAxisKernel);
    w_tap[0] = w_tap[1] * parameter(kAxes + kAxisWords + kAxisKernel);
    w_first = parameter(kWSkip) + (o / 16u) * w_tap[0] * parameter(kAxes + kAxisKernel) + o % 16u;
  } else {
    w_channel = parameter(kWStrides + 1u);
    for (uint axis = 0u; axis < 3u; ++axis) w_tap[axis] = parameter(kWStrides + 2u + axis);
    w_first = parameter(kWSkip) + o * parameter(kWStrides);
  }
  uint tap_step[3], input_step[3];
  for (uint axis = 0u; axis < 3u; ++axis) {
    tap_step[axis] = parameter(kAxes + kAxisWords * axis + kAxisTapStep) * w_tap[axis];
    input_step[axis] =
        parameter(kAxes + kAxisWords * axis + kAxisInputStep) * parameter(kXStrides + 2u + axis);
    x_first += position[axis] * parameter(kXStrides + 2u + axis);
    w_first += first[axis] * w_tap[axis];
  }

  float sum = 0.0;
  uint x_channel = parameter(kXStrides + 1u);
  for (uint d = 0u; d < count[0]; ++d) {
    for (uint h = 0u; h < count[1]; ++h) {
      for (uint v = 0u; v < count[2]; ++v) {
        uint x_at = x_first - d * input_step[0] - h * input_step[1] - v * input_step[2];
        uint w_at = w_first + d * tap_step[0] + h * tap_step[1] + v * tap_step[2];
        for (uint c = 0u; c < channels; ++c) {
          sum += float(x[x_at]) * weight(w_at);
          x_at += x_channel;
          w_at += w_channel;
        }
      }
    }
  }
  if (kHasBias) sum += float(bias[parameter(kBiasSkip) + o * parameter(kBiasStride)]);
  y[y_at] =
      store(activate(kActivation, sum, float_parameter(kActivationA), float_parameter(kActivationB)));
}
// SPDX-License-Identifier: Apache-2.0

// The taps of a transposed convolution that reach an output. To be included after parameters.glsl; the
// shader defines kAxes and kAxisWords, as conv_volume.glsl does.
/* words
struct Axis
  uint input, output, kernel  // sizes
  uint stride, dilation, pad_begin, tap_step, input_step
*/

// As TransposedWindow::taps in ops/window.h: the first tap that reaches the output, the input that
// it takes, how many there are.
void taps_of(uint axis, uint at_y, out uint first, out uint position, out uint count) {
  uint at = kAxes + kAxisWords * axis;
  uint size = parameter(at + kAxisInput), kernel = parameter(at + kAxisKernel);
  uint stride = parameter(at + kAxisStride);
  uint dilation = parameter(at + kAxisDilation), tap_step = parameter(at + kAxisTapStep);
  uint input_step = parameter(at + kAxisInputStep);
  uint from = at_y + parameter(at + kAxisPadBegin);
  first = 0u;
  position = 0u;
  count = 0u;
  for (uint t = 0u; t < tap_step && t < kernel && t * dilation <= from; ++t) {
    if ((from - t * dilation) % stride != 0u) continue;
    uint tap = t;
    position = (from - t * dilation) / stride;
    if (position >= size) {
      // Neither product passes 2^29 where it counts: the first is compared before it is made.
      uint steps = (position - size) / input_step + 1u;
      if (steps > (kernel - 1u - tap) / tap_step || steps > position / input_step) return;
      tap += steps * tap_step;
      position -= steps * input_step;
    }
    first = tap;
    count = min((kernel - tap - 1u) / tap_step, position / input_step) + 1u;
    return;
  }
}
// SPDX-License-Identifier: Apache-2.0

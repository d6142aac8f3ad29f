// Convolution over three spatial dims: any groups, any strides, an invocation for each output element.
/* words
use conv_volume
spec ConvVolumeSpec
parameters ConvVolumeWords
*/
#version 450
#extension GL_GOOGLE_include_directive : require
#include "conv_3d.words.glsl"
#include "conv_volume.glsl"

// As Window::taps in ops/window.h.
void taps_of(uint axis, uint at_y, out uint first, out uint position, out uint count) {
  uint at = kAxes + kAxisWords * axis;
  int size = int(parameter(at));
  uint kernel = parameter(at + 2u), dilation = parameter(at + 4u);
  int start = int(at_y * parameter(at + 3u)) - int(parameter(at + 5u));
  first = start < 0 ? (uint(-start) + dilation - 1u) / dilation : 0u;
  uint end = start < size ? min((uint(size - start) + dilation - 1u) / dilation, kernel) : 0u;
  count = first < end ? end - first : 0u;
  position = uint(start) + first * dilation;
}
// SPDX-License-Identifier: Apache-2.0

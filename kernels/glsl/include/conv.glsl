// The convolution shaders' push words, and their step from sums to results.
/* words
struct ConvPush
  uint count
  uint channels, height, width  // of the input; channels of one group
  uint outputs, out_height, out_width  // of the output
  uint group_outputs  // output channels of one group
  uint kernel, stride, dilation, pad  // low half height, high half width
  uint x_skip, w_skip, bias_skip, y_skip
  uint x_strides[4], w_strides[4], y_strides[4]  // n, c, h, w; o, i, kh, kw; n, c, h, w
  uint bias_stride
  float activation_a, activation_b
  uint r_skip  // of the tensor that is added, in conv_panel_residual alone
*/

uvec2 halves(uint word) { return uvec2(word & 0xffffu, word >> 16); }
// SPDX-License-Identifier: Apache-2.0

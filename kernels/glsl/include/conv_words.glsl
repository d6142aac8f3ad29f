// The words that quantized convolutions have beside those of sums.
/* words
use channels
struct ConvOwn
  ChannelWords channels
  uint height, width, out_height, out_width
  uint kernel[2], stride[2], dilation[2], pad[2], x_strides[2], w_strides[2], sum_strides[2]  // of both axes
  pad 28
*/
// SPDX-License-Identifier: Apache-2.0

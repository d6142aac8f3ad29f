// Blocks of four output channels of a group, and the places of their sums, for the shaders of
// quantized convolutions. Include this after integer_sums.glsl or integer_whole.glsl; a shader's own
// parameters lie behind ChannelWords.
/* words
struct ChannelWords
  uint groups, group_outputs       // groups to loop over, output channels of each
  uint lanes, group_stride         // strides of x from one output channel, and group, to the next
  uint x_image, w_output, sum_image, sum_output  // strides of images and output channels
  uint bias_stride, w_zero_stride
*/

struct Channels {
  uint first, o;     // of the block, in its group and of all
  uvec4 x_at, w_at;  // where the operands of each begin
  Zeros zeros;
};

// The block of an invocation; `rest` becomes the number of the place. Neighbors have the same block: what they
// read of w, and of its channels, is one load.
Channels channels_of(inout uint rest) {
  uint group_outputs = parameter(kGroupOutputs);
  uint quads = (group_outputs + 3u) / 4u;
  uint places = p.count / (quads * parameter(kGroups));
  uint block = rest / places;
  rest -= block * places;
  uint group = block / quads;
  Channels channels;
  channels.first = (block - group * quads) * 4u;
  channels.o = group * group_outputs + channels.first;
  // The last channels repeat instead of leaving the tensor.
  uvec4 lanes = min(uvec4(0u, 1u, 2u, 3u), uvec4(group_outputs - 1u - channels.first));
  channels.x_at = parameter(kXSkip) + group * parameter(kGroupStride) +
                  (channels.first + lanes) * parameter(kLanes);
  uvec4 outputs = channels.o + lanes;
  channels.w_at = parameter(kWSkip) + outputs * parameter(kWOutput);
  channels.zeros = zeros_at(parameter(kXZeroSkip),
                            parameter(kWZeroSkip) + outputs * parameter(kWZeroStride));
  return channels;
}

// SPDX-License-Identifier: Apache-2.0

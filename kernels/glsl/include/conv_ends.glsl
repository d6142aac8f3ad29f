// The numbers of a joined quantized convolution's output channels: biases, multipliers and shifts are one
// uniform buffer, which leaves the fourth storage buffer to what joins the convolution.
/* words
struct ConvEndsWords
  uint ends_skip, ends_strides[2]  // of one kind of numbers, of an output channel
*/
layout(std140, set = 0, binding = PARAMETER_BINDING + 1) uniform ConvEnds { ivec4 conv_ends[1024]; };

// The numbers of output channels o to o + 3. Where there are no four, the last of `outputs` stands for the
// others.
Ends ends_of(uint o, uint outputs) {
  Ends ends;
  uint first = parameter(kEndsSkip) + o * parameter(kEndsStrides + 1u), next = parameter(kEndsStrides);
  // Neighbors in a vector are one load: different ones in different invocations are slow.
  if (outputs >= 4u && parameter(kEndsStrides + 1u) == 1u && ((first | next) & 3u) == 0u) {
    ends.bias = conv_ends[first >> 2];
    ends.multipliers = conv_ends[(first + next) >> 2];
    ends.shifts = conv_ends[(first + 2u * next) >> 2];
    return ends;
  }
  [[unroll]] for (uint i = 0u; i < 4u; ++i) {
    uint at = first + min(i, outputs - 1u) * parameter(kEndsStrides + 1u);
    ends.bias[i] = conv_ends[at >> 2][at & 3u];
    at += next;
    ends.multipliers[i] = conv_ends[at >> 2][at & 3u];
    at += next;
    ends.shifts[i] = conv_ends[at >> 2][at & 3u];
  }
  return ends;
}
// SPDX-License-Identifier: Apache-2.0

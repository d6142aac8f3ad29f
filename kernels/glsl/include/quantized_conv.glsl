// Quantised convolution: an invocation adds up four output channels of a pixel.
#include "integer_sums.glsl"

// Groups to loop over, output channels of each.
const uint kGroups = kOwn, kGroupOutputs = kOwn + 1u;
const uint kHeight = kOwn + 2u, kWidth = kOwn + 3u, kOutHeight = kOwn + 4u, kOutWidth = kOwn + 5u;
// Of both axes.
const uint kKernel = kOwn + 6u, kStride = kOwn + 8u, kDilation = kOwn + 10u, kPad = kOwn + 12u;
const uint kLanes = kOwn + 14u;  // the stride of x from one output channel to the next
const uint kGroupStride = kOwn + 15u;  // and from one group to the next
const uint kXStrides = kOwn + 16u;  // n, h, w
const uint kWStrides = kOwn + 19u;  // o, kh, kw
const uint kSumStrides = kOwn + 22u;  // n, o, h, w
const uint kBiasStride = kOwn + 26u;

void add_sums() {
  uint rest = grid_index();
  if (rest >= p.count) return;
  uint group_outputs = parameter(kGroupOutputs);
  uint quads = (group_outputs + 3u) / 4u;
  uint quotient = rest / quads;
  uint first = (rest - quotient * quads) * 4u;
  rest = quotient;
  quotient = rest / parameter(kGroups);
  uint group = rest - quotient * parameter(kGroups);
  rest = quotient;
  quotient = rest / parameter(kOutWidth);
  uint ow = rest - quotient * parameter(kOutWidth);
  uint n = quotient / parameter(kOutHeight);
  uint oh = quotient - n * parameter(kOutHeight);

  uint o = group * group_outputs + first;
  // The last channels repeat instead of leaving the tensor.
  uvec4 lanes = min(uvec4(0u, 1u, 2u, 3u), uvec4(group_outputs - 1u - first));
  uvec4 x_first = parameter(kXSkip) + n * parameter(kXStrides) + group * parameter(kGroupStride) +
                  (first + lanes) * parameter(kLanes);
  uvec4 w_first = parameter(kWSkip) + (o + lanes) * parameter(kWStrides);
  int top = int(oh * parameter(kStride)) - int(parameter(kPad));
  int left = int(ow * parameter(kStride + 1u)) - int(parameter(kPad + 1u));
  ivec4 sums = ivec4(0);
  for (uint kh = 0u; kh < parameter(kKernel); ++kh) {
    uint h = uint(top + int(kh * parameter(kDilation)));
    for (uint kw = 0u; kw < parameter(kKernel + 1u); ++kw) {
      uint column = uint(left + int(kw * parameter(kDilation + 1u)));
      uvec4 w_at = w_first + kh * parameter(kWStrides + 1u) + kw * parameter(kWStrides + 2u);
      // Before the input counts as large.
      if (h < parameter(kHeight) && column < parameter(kWidth)) {
        add_run(sums, x_first + h * parameter(kXStrides + 1u) + column * parameter(kXStrides + 2u),
                w_at);
      } else {
        add_outside(sums, w_at);
      }
    }
  }
  uint at = parameter(kSumSkip) + n * parameter(kSumStrides) + oh * parameter(kSumStrides + 2u) +
            ow * parameter(kSumStrides + 3u);
  for (uint j = 0u; j < 4u && first + j < group_outputs; ++j) {
    int bias = kHasBias ? int(b[parameter(kBiasSkip) + (o + j) * parameter(kBiasStride)]) : 0;
    y[at + (o + j) * parameter(kSumStrides + 1u)] = uint(sums[j] + bias);
  }
}
// SPDX-License-Identifier: Apache-2.0

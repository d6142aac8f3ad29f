// Describes a step of a pointwise and a depthwise convolution, of floats or integers: its image,
// and the words of a tile.
#pragma once

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/depthwise_tile.h"
#include "kernels/shaders/shared/depthwise_tile.h"

namespace arenite {

inline constexpr uint32_t kDepthwiseTapsInput = 3;

// `Attributes`: of the step's operator.
template <typename Attributes>
DepthwiseImage depthwise_image(const Step& step) {
  const Operand x = input_operand(step, 0), taps = input_operand(step, kDepthwiseTapsInput);
  const Operand y = output_operand(step, 0);
  const auto a = step.attributes<Attributes>();
  DepthwiseImage image = {.images = y.dims[0] * ((uint64_t{y.dims[1]} + 3) / 4),
                          .channels = x.dims[1]};
  for (uint32_t axis = 0; axis < 2; ++axis) {
    image.size[axis] = x.dims[2 + axis];
    image.out_size[axis] = y.dims[2 + axis];
    image.kernel[axis] = taps.dims[axis];
    image.stride[axis] = a.stride[axis];
    image.dilation[axis] = a.dilation[axis];
    image.pad[axis] = a.pad_begin[axis];
  }
  return image;
}

inline bool has_few_taps(const DepthwiseImage& image) {
  const uint64_t count = uint64_t{image.kernel[0]} * image.kernel[1];
  return count != 0 && count <= kTapsMax;
}

inline uint64_t groups_of(const DepthwiseImage& image, const DepthwiseTile& tile) {
  uint64_t groups = image.images;
  for (uint32_t axis = 0; axis < 2; ++axis) {
    groups *= (image.out_size[axis] + tile.size[axis] - 1) / tile.size[axis];
  }
  return groups;
}

inline shaders::TileWords tile_words(const Step& step, const DepthwiseImage& image,
                                     const DepthwiseTile& tile) {
  return {.groups = static_cast<uint32_t>(groups_of(image, tile)),
          .channels = image.channels,
          .outputs = output_operand(step, 0).dims[1],
          .size = image.size,
          .out_size = image.out_size,
          .tile = tile.size,
          .kernel = image.kernel,
          .stride = image.stride,
          .dilation = image.dilation,
          .pad = image.pad};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

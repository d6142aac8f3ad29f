// Stretches, letterboxes or crops.
#include "tools/images/fit.h"

#include <algorithm>

namespace arenite::tools {
namespace {

// a * b / c to the nearest, at least 1 and at most `most`.
uint32_t scaled(uint32_t a, uint32_t b, uint32_t c, uint32_t most) {
  const uint64_t product = uint64_t{a} * b;
  return static_cast<uint32_t>(std::clamp<uint64_t>((product + c / 2) / c, 1, most));
}

// Whether an image is wider, for its height, than what it is to become.
bool is_wider(const Image& image, uint32_t width, uint32_t height) {
  return uint64_t{image.width} * height > uint64_t{width} * image.height;
}

Image letterboxed(const Image& image, const std::string& name, uint32_t width, uint32_t height,
                  float bars) {
  const bool wider = is_wider(image, width, height);
  const uint32_t inner_width = wider ? width : scaled(image.width, height, image.height, width);
  const uint32_t inner_height = wider ? scaled(image.height, width, image.width, height) : height;
  const Image inner = resize_image(image, name, inner_width, inner_height);
  Image boxed{width, height, image.channels, {}};
  boxed.samples.assign(size_t{width} * height * image.channels, bars);
  const uint32_t left = (width - inner_width) / 2, top = (height - inner_height) / 2;
  const size_t row = size_t{inner_width} * image.channels;
  for (uint32_t y = 0; y < inner_height; ++y) {
    const size_t to = (size_t{top + y} * width + left) * image.channels;
    std::copy_n(inner.samples.data() + y * row, row, boxed.samples.data() + to);
  }
  return boxed;
}

Image center_cropped(const Image& image, const std::string& name, uint32_t width, uint32_t height) {
  const bool wider = is_wider(image, width, height);
  const uint32_t part_width =
      wider ? scaled(image.height, width, height, image.width) : image.width;
  const uint32_t part_height =
      wider ? image.height : scaled(image.width, height, width, image.height);
  const Image part = cropped(image, (image.width - part_width) / 2,
                             (image.height - part_height) / 2, part_width, part_height);
  return resize_image(part, name, width, height);
}

}  // namespace

Image fitted(const Image& image, const std::string& name, uint32_t width, uint32_t height,
             const ImageOptions& options) {
  switch (options.fit) {
    case ImageFit::kLetterbox:
      return letterboxed(image, name, width, height, options.bars);
    case ImageFit::kCrop:
      return center_cropped(image, name, width, height);
    default:
      return resize_image(image, name, width, height);
  }
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

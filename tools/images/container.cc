// Tells image files apart and bounds their size.
#include "tools/images/container.h"

#include <algorithm>

#include "tools/io/tensor.h"

namespace arenite::tools {

namespace {

constexpr uint8_t kPng[] = {0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a};
constexpr uint8_t kJpeg[] = {0xff, 0xd8, 0xff};

bool begins(std::span<const std::byte> file, std::span<const uint8_t> magic) {
  return file.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), file.begin(),
                    [](uint8_t a, std::byte b) { return a == std::to_integer<uint8_t>(b); });
}

}  // namespace

bool is_image(std::span<const std::byte> file) { return begins(file, kPng) || begins(file, kJpeg); }

ImageInfo read_image_info(std::span<const std::byte> file, const std::string& name) {
  if (!is_image(file)) {
    throw InputError(name + ": expected a PNG or JPEG image, found neither's first bytes");
  }
  const ImageInfo info =
      begins(file, kPng) ? read_png_info(file, name) : read_jpeg_info(file, name);
  if (info.height == 0) throw InputError(name + ": not a usable image: its height is 0");
  if (uint64_t{info.width} * info.height > kImagePixelsMax ||
      std::max(info.width, info.height) > kImageSideMax) {
    throw InputError(name + ": the image is " + std::to_string(info.width) + " x " +
                     std::to_string(info.height) + "; expected at most " +
                     std::to_string(kImagePixelsMax) + " pixels and " +
                     std::to_string(kImageSideMax) + " a side");
  }
  return info;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

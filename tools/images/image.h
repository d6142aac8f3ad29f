// Images as networks want them: upright, in samples from 0 to 255.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tools/images/container.h"

namespace arenite::tools {

// Rows from the top, pixels from the left, channels side by side (gray, RGB or RGBA).
struct Image {
  uint32_t width = 0, height = 0, channels = 0;
  std::vector<float> samples;  // 0 to 255
};

// Whether a file is read as an image: .png, .jpg or .jpeg, in small or capital letters.
bool is_image_path(const std::filesystem::path& path);

// Decodes to 1, 3 or 4 channels and turns the image upright. `info` is read_image_info's of the
// file. Samples of 16 bits are divided by 257. Missing colors repeat the gray, missing alpha is
// 255. A gray image of a color file is (77 R + 150 G + 29 B) / 256; alpha is dropped if it is not
// wanted. Color profiles are ignored. Throws InputError, which begins with `name`.
Image decode_image(std::span<const std::byte> file, const std::string& name, const ImageInfo& info,
                   uint32_t channels);

// The part of an image at (left, top); it lies within.
Image cropped(const Image& image, uint32_t left, uint32_t top, uint32_t width, uint32_t height);

// Bilinear: a triangle filter around pixel centers, as wide as a target pixel where the image
// shrinks, so that no pixel is skipped; edges are repeated. The aspect ratio is the caller's.
// Throws InputError, which begins with `name`, for sizes so far apart that the filter leaves
// memory.
Image resize_image(const Image& image, const std::string& name, uint32_t width, uint32_t height);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// Reads the size and kind of a PNG or JPEG file, and whether the file is whole: decoders would make
// up missing parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace arenite::tools {

enum class ImageKind { kPng, kJpeg };

struct ImageInfo {
  ImageKind kind = ImageKind::kPng;
  uint32_t width = 0, height = 0;  // as stored, before it is turned
  uint32_t orientation = 1;        // EXIF's
  bool wide = false;               // 16 bits a sample

  bool sideways() const { return orientation >= 5; }
  uint32_t upright_width() const { return sideways() ? height : width; }
  uint32_t upright_height() const { return sideways() ? width : height; }
};

// More is a bomb, or no input for a network: 64 Mi pixels.
inline constexpr uint64_t kImagePixelsMax = uint64_t{64} << 20;
inline constexpr uint32_t kImageSideMax = 65535;

// Whether the bytes begin as a PNG or JPEG does.
bool is_image(std::span<const std::byte> file);

// Tells the kind by the first bytes, walks all of the file's parts, verifies PNG's checksums, and
// bounds the size. Throws InputError, which begins with `name`, for what is neither kind, damaged,
// cut short, too large, or stored in a way that decoders get wrong.
ImageInfo read_image_info(std::span<const std::byte> file, const std::string& name);

// One for each kind, for files that begin like one.
ImageInfo read_png_info(std::span<const std::byte> file, const std::string& name);
ImageInfo read_jpeg_info(std::span<const std::byte> file, const std::string& name);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// Walks a PNG's chunks.
#include <string_view>

#include "core/crc32.h"
#include "tools/images/container.h"
#include "tools/images/exif.h"
#include "tools/io/tensor.h"

namespace arenite::tools {
namespace {

constexpr size_t kSignatureBytes = 8;
constexpr size_t kHeaderBytes = 13;  // of IHDR
constexpr size_t kAroundChunk = 12;  // length, type and checksum

uint32_t big_endian(std::span<const std::byte> bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<uint32_t>(bytes[at + i]);
  return value;
}

}  // namespace

ImageInfo read_png_info(std::span<const std::byte> file, const std::string& name) {
  ImageInfo info;
  info.kind = ImageKind::kPng;
  for (size_t at = kSignatureBytes; file.size() - at >= kAroundChunk;) {
    const uint32_t length = big_endian(file, at);
    if (length > file.size() - at - kAroundChunk) break;
    const std::string_view type(reinterpret_cast<const char*>(file.data()) + at + 4, 4);
    const auto data = file.subspan(at + 8, length);
    if (crc32(file.subspan(at + 4, 4 + size_t{length})) != big_endian(file, at + 8 + length)) {
      throw InputError(name + ": damaged: the checksum of the chunk at byte " + std::to_string(at) +
                       " does not match");
    }
    if (info.width == 0) {
      if (type == "CgBI") {
        throw InputError(name + ": Apple's own variant of PNG is not supported; convert it first");
      }
      if (type != "IHDR" || length != kHeaderBytes) break;
      info.width = big_endian(data, 0);
      info.height = big_endian(data, 4);
      info.wide = std::to_integer<uint32_t>(data[8]) == 16;
      if (info.width == 0) throw InputError(name + ": not a usable PNG: its width is 0");
    }
    if (type == "eXIf") info.orientation = exif_orientation(data);
    if (type == "IEND") return info;
    at += kAroundChunk + length;
  }
  throw InputError(name + (info.width == 0 ? ": not a usable PNG: it does not begin with its header"
                                           : ": cut short: it ends before its last chunk"));
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

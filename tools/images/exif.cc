// Reads the one tag of EXIF that changes what an image shows.
#include "tools/images/exif.h"

namespace arenite::tools {
namespace {

// Numbers of either byte order; 0 past the end.
class TiffBytes {
 public:
  TiffBytes(std::span<const std::byte> bytes, bool little) : bytes_(bytes), little_(little) {}

  uint32_t number(size_t at, size_t count) const {
    if (at > bytes_.size() || bytes_.size() - at < count) return 0;
    uint32_t value = 0;
    for (size_t i = 0; i < count; ++i) {
      const size_t from = little_ ? at + count - 1 - i : at + i;
      value = value << 8 | std::to_integer<uint32_t>(bytes_[from]);
    }
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  bool little_;
};

}  // namespace

uint32_t exif_orientation(std::span<const std::byte> tiff) {
  constexpr uint32_t kOrientationTag = 0x0112, kShort = 3;
  constexpr size_t kEntryBytes = 12;
  if (tiff.size() < 8 || tiff[0] != tiff[1]) return 1;
  const auto order = std::to_integer<char>(tiff[0]);
  if (order != 'I' && order != 'M') return 1;
  const TiffBytes bytes(tiff, order == 'I');
  if (bytes.number(2, 2) != 42) return 1;
  const size_t directory = bytes.number(4, 4);
  const size_t entries = bytes.number(directory, 2);
  for (size_t i = 0; i < entries; ++i) {
    const size_t entry = directory + 2 + i * kEntryBytes;
    if (entry >= tiff.size()) break;
    if (bytes.number(entry, 2) != kOrientationTag) continue;
    const uint32_t value = bytes.number(entry + 8, 2);
    const bool sound = bytes.number(entry + 2, 2) == kShort && bytes.number(entry + 4, 4) == 1;
    return sound && value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

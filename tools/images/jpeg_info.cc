// Walks a JPEG's segments and scans.
#include <cstring>
#include <string_view>

#include "tools/images/container.h"
#include "tools/images/exif.h"
#include "tools/io/tensor.h"

namespace arenite::tools {
namespace {

using namespace std::string_view_literals;

constexpr uint32_t kHuffmanTables = 0xc4, kStartOfScan = 0xda, kEndOfImage = 0xd9, kApp1 = 0xe1,
                   kApp14 = 0xee;

bool begins_with(std::span<const std::byte> data, std::string_view text) {
  return data.size() >= text.size() && std::memcmp(data.data(), text.data(), text.size()) == 0;
}

// Markers without a length: restarts, and one that means nothing.
bool stands_alone(uint32_t marker) { return (marker >= 0xd0 && marker <= 0xd7) || marker == 0x01; }

// The headers of frames of all codings; what lies between are tables.
bool starts_frame(uint32_t marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

class JpegWalk {
 public:
  JpegWalk(std::span<const std::byte> file, const std::string& name) : file_(file), name_(name) {}

  ImageInfo run() {
    at_ = 2;  // behind the marker that starts the image
    for (;;) {
      const uint32_t marker = next_marker();
      if (marker == kEndOfImage) break;
      if (stands_alone(marker)) continue;
      segment(marker);
      if (marker == kStartOfScan) skip_scan();
    }
    if (info_.width == 0) fail(": not a usable JPEG: it has no frame");
    if (components_ == 4 && !adobe_) {
      fail(
          ": a JPEG of four channels without Adobe's marker, which would say how its inks are "
          "stored; convert it to RGB first");
    }
    return info_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError(name_ + what); }
  [[noreturn]] void fail_short() const { fail(": cut short: it ends before its last marker"); }

  uint32_t byte(size_t at) const {
    if (at >= file_.size()) fail_short();
    return std::to_integer<uint32_t>(file_[at]);
  }
  uint32_t word(size_t at) const { return byte(at) << 8 | byte(at + 1); }

  uint32_t next_marker() {
    if (byte(at_) != 0xff) {
      fail(": damaged: expected a marker at byte " + std::to_string(at_));
    }
    while (byte(at_) == 0xff) ++at_;  // any number of them may come before it
    return byte(at_++);
  }

  void segment(uint32_t marker) {
    const size_t length = word(at_);
    if (length < 2) fail(": damaged: the segment at byte " + std::to_string(at_) + " is too short");
    if (length > file_.size() - at_) fail_short();
    const auto data = file_.subspan(at_ + 2, length - 2);
    if (starts_frame(marker)) frame(data);
    if (marker == kHuffmanTables) huffman_tables(data);
    if (marker == kApp1 && begins_with(data, "Exif\0\0"sv) && !oriented_) {
      info_.orientation = exif_orientation(data.subspan(6));
      oriented_ = true;
    }
    if (marker == kApp14 && begins_with(data, "Adobe"sv)) adobe_ = true;
    at_ += length;
  }

  void frame(std::span<const std::byte> data) {
    if (info_.width != 0) fail(": not a usable JPEG: it has two frames");
    if (data.size() < 6) fail(": damaged: its frame is too short");
    const size_t at = at_ + 2;
    info_.height = word(at + 1);
    info_.width = word(at + 3);
    components_ = byte(at + 5);
    if (info_.width == 0) fail(": not a usable JPEG: its width is 0");
  }

  // stb (2.27) trusts the number of symbols, and takes the last of 256 for none.
  void huffman_tables(std::span<const std::byte> data) const {
    constexpr size_t kLengths = 16, kSymbolsMax = 255;
    while (!data.empty()) {
      size_t symbols = 0;
      for (size_t i = 1; i <= kLengths && i < data.size(); ++i) {
        symbols += std::to_integer<size_t>(data[i]);
      }
      if (symbols > kSymbolsMax || 1 + kLengths + symbols > data.size()) {
        fail(": damaged: a Huffman table at byte " + std::to_string(at_) +
             " has more symbols than it may, or than the file");
      }
      data = data.subspan(1 + kLengths + symbols);
    }
  }

  // Skips to the next marker that is no restart; in a scan, 0xff 0x00 stands for the byte 0xff.
  void skip_scan() {
    for (;;) {
      while (byte(at_) != 0xff) ++at_;
      const uint32_t next = byte(at_ + 1);
      if (next != 0 && next != 0xff && !stands_alone(next)) return;
      at_ += next == 0xff ? 1 : 2;
    }
  }

  const std::span<const std::byte> file_;
  const std::string& name_;
  size_t at_ = 0;
  ImageInfo info_{ImageKind::kJpeg};
  uint32_t components_ = 0;
  bool oriented_ = false, adobe_ = false;
};

}  // namespace

ImageInfo read_jpeg_info(std::span<const std::byte> file, const std::string& name) {
  return JpegWalk(file, name).run();
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

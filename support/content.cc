// Knows files by their magic bytes, and by likeness where there are none.
#include "support/content.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace arenite {
namespace {

using namespace std::string_view_literals;

struct Magic {
  size_t offset;
  std::string_view bytes;
  Content content;
};

constexpr std::array kMagics = {
    Magic{0, "ARENITE\0"sv, Content::kProgram},
    Magic{4, "TFL3"sv, Content::kTfLite},
    Magic{0, "\x93NUMPY"sv, Content::kNumpy},
    Magic{0, "\x89PNG\r\n\x1a\n"sv, Content::kPng},
    Magic{0, "\xff\xd8\xff"sv, Content::kJpeg},
    Magic{0, "PK\x03\x04"sv, Content::kZip},
    Magic{0, "\x1f\x8b"sv, Content::kGzip},
    Magic{0, "\x89HDF\r\n\x1a\n"sv, Content::kHdf5},
    Magic{0,
          "\x7f"
          "ELF"sv,
          Content::kElf},
    Magic{0, "<!DOCTYPE"sv, Content::kHtml},
    Magic{0, "<!doctype"sv, Content::kHtml},
    Magic{0, "<html"sv, Content::kHtml},
    Magic{0, "version https://git-lfs"sv, Content::kLfsPointer},
};

// A ModelProto as all exporters write it: field 1, a small ir_version; then a field from 2 to 8.
bool is_like_onnx(std::string_view text) {
  if (text.size() < 16 || text[0] != 0x08 || text[1] <= 0 || text[1] > 32) return false;
  const int key = static_cast<unsigned char>(text[2]);
  return key >= 0x12 && key <= 0x42 && (key % 8 == 0 || key % 8 == 2);
}

// No control characters but white space in the first bytes; not asked to be any encoding.
bool is_text(std::string_view text) {
  constexpr size_t kLooked = 4096;
  return std::ranges::none_of(text.substr(0, kLooked), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 32 && c != '\n' && c != '\r' && c != '\t' && c != '\f') || byte == 127;
  });
}

}  // namespace

Content content_of(std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (text.empty()) return Content::kEmpty;
  for (const Magic& magic : kMagics) {
    const bool long_enough = text.size() >= magic.offset + magic.bytes.size();
    if (long_enough && text.substr(magic.offset).starts_with(magic.bytes)) return magic.content;
  }
  if (is_text(text)) return Content::kText;
  if (is_like_onnx(text)) return Content::kOnnx;
  const bool zeros = std::ranges::all_of(text, [](char c) { return c == 0; });
  return zeros ? Content::kZeros : Content::kUnknown;
}

std::string described(Content content) {
  switch (content) {
    case Content::kEmpty:
      return "an empty file";
    case Content::kProgram:
      return "an Arenite program";
    case Content::kOnnx:
      return "an ONNX model";
    case Content::kTfLite:
      return "a TensorFlow Lite model";
    case Content::kNumpy:
      return "a NumPy array";
    case Content::kPng:
      return "a PNG image";
    case Content::kJpeg:
      return "a JPEG image";
    case Content::kZip:
      return "a ZIP archive (PyTorch saves models so: export them to ONNX)";
    case Content::kGzip:
      return "a gzip archive (unpack it first)";
    case Content::kHdf5:
      return "an HDF5 file (Keras saves models so: export them to ONNX)";
    case Content::kElf:
      return "an ELF executable";
    case Content::kHtml:
      return "a web page (a download that failed?)";
    case Content::kLfsPointer:
      return "a Git LFS pointer (git lfs pull fetches the file)";
    case Content::kZeros:
      return "nothing but zeros";
    case Content::kText:
      return "text";
    case Content::kUnknown:
      break;
  }
  return "something else";
}

std::string not_json(std::string_view text, std::string_view library_says) {
  const Content content = content_of(std::as_bytes(std::span(text)));
  if (content != Content::kText && content != Content::kUnknown) {
    return "expected JSON, found " + described(content);
  }
  constexpr std::string_view kStart = "parse error at ";
  const size_t at = library_says.find(kStart);
  if (at != std::string_view::npos) library_says.remove_prefix(at + kStart.size());
  return "not JSON: " + std::string(library_says);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

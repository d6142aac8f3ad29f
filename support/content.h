// Says what a file holds by its first bytes, for messages about files that hold something else.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace arenite {

enum class Content {
  kUnknown,
  kEmpty,
  kProgram,  // Arenite's
  kOnnx,     // by likeness: ONNX has no magic
  kTfLite,
  kNumpy,
  kPng,
  kJpeg,
  kZip,
  kGzip,
  kHdf5,
  kElf,
  kHtml,
  kLfsPointer,
  kZeros,
  kText,
};

Content content_of(std::span<const std::byte> file);

// "an ONNX model"; "something else" for kUnknown. With advice where there is some: "a Git LFS
// pointer (git lfs pull fetches the file)".
std::string described(Content content);

// The reason why a text is no JSON: what it is instead, or the JSON library's words without their
// number: "expected JSON, found a PNG image", "not JSON: line 2, column 1: ...".
std::string not_json(std::string_view text, std::string_view library_says);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The files beside an ONNX model that hold the bytes of its larger tensors, and nothing outside the
// model's folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace onnx {
class TensorProto;
}

namespace arenite::planner {

class MappedFile;

class ExternalData {
 public:
  // Of the model's file; nothing for a model that comes from memory or through a pipe.
  explicit ExternalData(std::optional<std::filesystem::path> folder);
  ~ExternalData();

  // The bytes that a tensor's external_data names, in the form of raw_data; where it gives no
  // length, as many as `asked` for by its dims. They stay readable as long as this object lives.
  // Throws UnsupportedError where there is no folder; InputError for entries that make no sense, a
  // file that leaves the folder, is missing or no regular file, and bytes beyond its end.
  std::span<const std::byte> bytes_of(const onnx::TensorProto& tensor, uint64_t asked);

  // Of all tensors so far.
  uint64_t total_bytes() const { return total_bytes_; }

 private:
  const MappedFile& file(const std::string& location);

  std::optional<std::filesystem::path> folder_;
  std::map<std::string, std::unique_ptr<MappedFile>> files_;  // by location
  uint64_t total_bytes_ = 0;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

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
#include <vector>

namespace onnx {
class TensorProto;
}

namespace arenite::planner {

class MappedFile;

// The folder that a model at `path` may keep external data in; nothing for a pipe.
std::optional<std::filesystem::path> folder_of_model(const std::filesystem::path& path);

// The files that an ONNX model names for external data, be they there or not; none where the model
// can't be read, which import tells of.
std::vector<std::filesystem::path> external_files(const std::filesystem::path& model);

class ExternalData {
 public:
  // `folder`: that of the model's file; nothing for a model that comes from memory or through a
  // pipe.
  explicit ExternalData(std::optional<std::filesystem::path> folder);
  ~ExternalData();

  // The bytes that a tensor's external_data names, in the form of raw_data; where it gives no
  // length, as many as `asked` for by its dims. They stay readable as long as this object lives.
  // Throws UnsupportedError where there is no folder; InputError for entries that make no sense, a
  // file that leaves the folder, is missing or no regular file, and bytes beyond its end.
  std::span<const std::byte> bytes_of(const onnx::TensorProto& tensor, uint64_t asked);

  // Bytes of all tensors so far.
  uint64_t total_bytes() const { return total_bytes_; }

 private:
  const MappedFile& file(const std::string& location);

  std::optional<std::filesystem::path> folder_;
  std::map<std::string, std::unique_ptr<MappedFile>> files_;  // by location
  uint64_t total_bytes_ = 0;
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

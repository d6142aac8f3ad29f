// Maps the files that tensors name: a path is resolved first, then opened without following any
// link, so that what was checked is what is read.
#include "planner/import/model/external_data.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <system_error>

#include "onnx.pb.h"
#include "planner/graph/graph.h"
#include "planner/import/model/front_end.h"
#include "support/descriptor.h"
#include "support/file.h"
#include "support/parse_number.h"
#include "support/printable.h"

namespace arenite::planner {

// A regular file's bytes, read-only. Mapped: a model of many GB is not in memory twice.
class MappedFile {
 public:
  MappedFile(int file, uint64_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;  // cannot be mapped
    start_ = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (start_ == MAP_FAILED)
      throw InputError(std::string("cannot be read: ") + std::strerror(errno));
  }
  ~MappedFile() {
    if (bytes_ != 0) ::munmap(start_, bytes_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(start_), bytes_};
  }

 private:
  void* start_ = nullptr;
  size_t bytes_;
};

namespace {

namespace fs = std::filesystem;

// The entries of external_data, by key. Others ("checksum") are not needed to read a tensor.
struct Place {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};

uint64_t parse_bytes(const std::string& key, const std::string& text) {
  const auto number = parse_number<uint64_t>(text);
  if (number) return *number;
  throw InputError("external data: " + key + ": expected a number of bytes, found " + quote(text));
}

Place place_of(const onnx::TensorProto& tensor) {
  Place place;
  bool has_location = false, has_offset = false;
  const auto once = [](const std::string& key, bool given) {
    if (given) throw InputError("external data: " + key + " is given twice");
  };
  for (const onnx::StringStringEntryProto& entry : tensor.external_data()) {
    if (entry.key() == "location") {
      once(entry.key(), has_location);
      has_location = true;
      place.location = entry.value();
    } else if (entry.key() == "offset") {
      once(entry.key(), has_offset);
      has_offset = true;
      place.offset = parse_bytes(entry.key(), entry.value());
    } else if (entry.key() == "length") {
      once(entry.key(), place.length.has_value());
      place.length = parse_bytes(entry.key(), entry.value());
    }
  }
  if (!has_location) throw InputError("external data: expected a location, found none");
  return place;
}

[[noreturn]] void fail(const std::string& location, const std::string& why) {
  throw InputError("external data in file " + quote(location) + ": " + why);
}

// Refuses what no file in the model's folder is called.
void check_location(const std::string& location) {
  const fs::path path(location);
  if (location.empty() || location.find('\0') != std::string::npos) {
    fail(location, "expected the name of a file");
  }
  if (path.is_absolute())
    fail(location, "expected a path in the model's folder, found an absolute one");
  for (const fs::path& part : path) {
    if (part == "..") fail(location, "expected a path in the model's folder, found \"..\" in it");
  }
}

// Opens a file below `folder` by a path without links; never waits for a pipe's other end.
int open_below(const fs::path& folder, const fs::path& path) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW;
  std::optional<Descriptor> at;
  at.emplace(::open(folder.c_str(), kFlags | O_DIRECTORY));
  for (const fs::path& part : path.parent_path()) {
    if (at->number() < 0) return -1;
    at.emplace(::openat(at->number(), part.c_str(), kFlags | O_DIRECTORY));
  }
  if (at->number() < 0) return -1;
  return ::openat(at->number(), path.filename().c_str(), kFlags | O_NONBLOCK);
}

std::unique_ptr<MappedFile> map_file(const fs::path& folder, const std::string& location) {
  std::error_code error;
  const fs::path home = fs::canonical(folder, error);
  const fs::path target = error ? fs::path() : fs::canonical(home / location, error);
  if (error) {
    fail(location, "cannot be read: " + error.message() + "; expected it in the model's folder, " +
                       quote(folder.string()));
  }
  const fs::path inside = target.lexically_relative(home);
  if (inside.empty() || *inside.begin() == "..") {
    fail(location, "expected a path in the model's folder, found a link that leaves it");
  }
  const Descriptor file(open_below(home, inside));
  struct stat about = {};
  if (file.number() < 0 || ::fstat(file.number(), &about) != 0) {
    fail(location, std::string("cannot be read: ") + std::strerror(errno));
  }
  if (!S_ISREG(about.st_mode)) fail(location, "expected a regular file, found none");
  try {
    return std::make_unique<MappedFile>(file.number(), static_cast<uint64_t>(about.st_size));
  } catch (const InputError& mapping) {
    fail(location, mapping.what());
  }
}

void add_locations(const onnx::TensorProto& tensor, std::set<std::string>& locations) {
  for (const onnx::StringStringEntryProto& entry : tensor.external_data()) {
    if (entry.key() == "location") locations.insert(entry.value());
  }
}

void add_locations(const onnx::GraphProto& graph, std::set<std::string>& locations) {
  for (const onnx::TensorProto& tensor : graph.initializer()) add_locations(tensor, locations);
  for (const onnx::NodeProto& node : graph.node()) {
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      add_locations(attribute.t(), locations);
      if (attribute.has_g()) add_locations(attribute.g(), locations);
    }
  }
}

}  // namespace

std::vector<fs::path> external_files(const fs::path& model) {
  const std::optional<fs::path> folder = folder_of_model(model);
  std::error_code error;  // a pipe that was read would be empty for import
  if (!folder || model.extension() == ".tflite" || !fs::is_regular_file(model, error)) return {};
  onnx::ModelProto proto;
  std::ifstream file(model, std::ios::binary);
  if (!proto.ParseFromIstream(&file)) return {};
  std::set<std::string> locations;
  add_locations(proto.graph(), locations);
  std::vector<fs::path> files;
  for (const std::string& location : locations) files.push_back(*folder / location);
  return files;
}

std::optional<fs::path> folder_of_model(const fs::path& path) {
  if (is_stream(path)) return std::nullopt;
  return path.has_parent_path() ? path.parent_path() : ".";
}

ExternalData::ExternalData(std::optional<fs::path> folder) : folder_(std::move(folder)) {}

ExternalData::~ExternalData() = default;

const MappedFile& ExternalData::file(const std::string& location) {
  std::unique_ptr<MappedFile>& known = files_[location];
  if (known == nullptr) known = map_file(*folder_, location);
  return *known;
}

std::span<const std::byte> ExternalData::bytes_of(const onnx::TensorProto& tensor, uint64_t asked) {
  const Place place = place_of(tensor);
  if (!folder_.has_value()) {
    throw UnsupportedError("its data lies in the file " + quote(place.location) +
                               ", and what comes from memory or a pipe has no folder to find it in",
                           "the model by the path of its file, or with its data inside");
  }
  check_location(place.location);
  const std::span<const std::byte> bytes = file(place.location).bytes();
  const uint64_t length = place.length.value_or(asked);
  if (place.offset > bytes.size() || length > bytes.size() - place.offset) {
    fail(place.location, "expected " + std::to_string(length) + " bytes at offset " +
                             std::to_string(place.offset) + ", found a file of " +
                             std::to_string(bytes.size()) + " bytes");
  }
  // Many tensors may name the same bytes, and each gets a copy.
  total_bytes_ += length;
  if (total_bytes_ > kFileBytesMax) {
    fail(place.location, "with it tensors hold more than " + std::to_string(kFileBytesMax) +
                             " bytes, which is more than any program has");
  }
  return bytes.subspan(place.offset, length);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

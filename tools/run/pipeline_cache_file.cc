// 24 bytes in front of what the driver wrote: who we are, a checksum, and what a cold start took.
#include "tools/run/pipeline_cache_file.h"

#include <array>
#include <cstring>
#include <span>
#include <system_error>

#include "core/crc32.h"
#include "support/file.h"

namespace arenite::tools {
namespace {

namespace fs = std::filesystem;

using Magic = std::array<char, 8>;
constexpr Magic kMagic = {'A', 'R', 'N', 'P', 'I', 'P', 'E', '1'};

struct Head {
  Magic magic = kMagic;
  uint32_t crc32 = 0;  // of all that follows
  uint32_t program = 0;
  double cold_ms = -1;
};
static_assert(sizeof(Head) == 24);

uint32_t checksum(std::span<const std::byte> file) {
  return crc32(file.subspan(offsetof(Head, program)));
}

}  // namespace

PipelineCacheFile read_pipeline_cache(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::vector<std::byte> bytes;
  try {
    bytes = read_file(path);
  } catch (const InputError&) {
    return {};
  }
  Head head;
  if (bytes.size() < sizeof head) return {};
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.magic != kMagic || head.crc32 != checksum(bytes)) return {};
  PipelineCacheFile file{head.cold_ms, head.program, {}};
  file.data.assign(bytes.begin() + sizeof head, bytes.end());
  return file;
}

void check_pipeline_cache(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return;
  const std::vector<std::byte> bytes = read_file(path);
  const bool ours =
      bytes.size() >= sizeof kMagic && std::memcmp(bytes.data(), kMagic.data(), sizeof kMagic) == 0;
  if (bytes.empty() || ours) return;
  throw InputError("--pipeline-cache " + path.string() +
                   ": this file is no pipeline cache, which would replace it; expected a cache, an "
                   "empty file or none");
}

void write_pipeline_cache(const fs::path& path, const PipelineCacheFile& file) {
  Head head;
  head.program = file.program;
  head.cold_ms = file.cold_ms;
  std::vector<std::byte> bytes(sizeof head);
  std::memcpy(bytes.data(), &head, sizeof head);
  bytes.insert(bytes.end(), file.data.begin(), file.data.end());
  head.crc32 = checksum(bytes);
  std::memcpy(bytes.data(), &head, sizeof head);
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  write_file(path, bytes);
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// The file that keeps a driver's compiled shaders between runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace arenite::tools {

struct PipelineCacheFile {
  // What making the pipelines of a program took when the cache held nothing, and the program, by
  // the checksum of its header; below 0: not known.
  double cold_ms = -1;
  uint32_t program = 0;
  std::vector<std::byte> data;  // the driver's; empty: nothing is known
};

// What the file holds; nothing where it is absent, no such file, or damaged: drivers trust what
// they are given, so that a checksum guards it. Never throws but std::bad_alloc.
PipelineCacheFile read_pipeline_cache(const std::filesystem::path& path);

// Throws InputError where the file holds anything else than such a cache, whole or damaged, which
// writing a cache would replace.
void check_pipeline_cache(const std::filesystem::path& path);

// Makes the folders on the way. Throws OutputError.
void write_pipeline_cache(const std::filesystem::path& path, const PipelineCacheFile& file);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

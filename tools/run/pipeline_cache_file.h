// The file that keeps a driver's compiled shaders between runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace arenite::tools {

struct PipelineCacheFile {
  // The time for making the pipelines of a program with an empty cache, and the program, by the
  // checksum of its header; below 0: not known.
  double cold_ms = -1;
  uint32_t program = 0;
  std::vector<std::byte> data;  // the driver's; empty: nothing is known
};

// Reads the file. Nothing if it is absent, no such file, or damaged: drivers trust the bytes they
// are given, so a checksum guards them. Throws nothing but std::bad_alloc.
PipelineCacheFile read_pipeline_cache(const std::filesystem::path& path);

// Throws InputError where the file holds anything else than such a cache, whole or damaged, which
// writing a cache would replace.
void check_pipeline_cache(const std::filesystem::path& path);

// Makes the folders on the way. Throws OutputError.
void write_pipeline_cache(const std::filesystem::path& path, const PipelineCacheFile& file);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

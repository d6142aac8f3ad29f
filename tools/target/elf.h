// Reads what is needed of a little-endian ELF image of 32 or 64 bits: sizes and symbols.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace arenite::tools {

struct ElfImage {
  // Sizes as `size` counts them: code and constants; variables with initial values; zeroed memory,
  // but for what is reserved for arenas and the stack.
  uint64_t text_bytes = 0, data_bytes = 0, bss_bytes = 0;
  std::map<std::string, uint32_t> symbols;  // those with a name; a Thumb function has bit 0 set
};

// Throws RunError that names the file where it is not such an image.
ElfImage read_elf(const std::filesystem::path& path);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

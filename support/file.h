// Reads and writes whole files, whatever they are: regular files, links, pipes, devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/errors.h"

namespace arenite {

// More than any program, model or tensor holds; reading stops there with an error.
inline constexpr uint64_t kFileBytesMax = (uint64_t{4} << 30) + (uint64_t{1} << 20);

// The whole file, up to its end: a pipe is as good as a regular file. "-" is standard input.
// Throws InputError with the path and what the system says.
std::vector<std::byte> read_file(const std::filesystem::path& path);
std::string read_text(const std::filesystem::path& path);

// Writes what `path` names, and replaces nothing else:
// - "-", /dev/stdout, /dev/fd/N: that open file of this process;
// - a device, a pipe, a socket: into it;
// - a regular file, or none yet: a new file beside it takes its name once all is written, so that
//   a failure leaves what was there. Symbolic links are followed, owner and mode stay. Where the
//   folder admits no new file, or none of that owner, the old one is written over.
// Throws OutputError.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_file(const std::filesystem::path& path, std::string_view text);

// Whether write_file() would write `path` to standard output.
bool is_standard_output(const std::filesystem::path& path);
// Whether the path names a pipe, a device or an open file, and so nothing about what comes from it.
bool is_stream(const std::filesystem::path& path);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

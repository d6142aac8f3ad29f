// Asks the emulator or debugger for what a bare board lacks: an exit status and the host's files.
#pragma once

#include <cstdint>
#include <span>

namespace arenite::board {

// The exit status of a run that faulted; image_main() must not return it.
inline constexpr int kFaultExitStatus = 99;

// The call itself, of each CPU family: the operation's number and its block of arguments.
intptr_t semihosting_call(uintptr_t operation, const void* arguments);

// Ends the run. The emulator process exits with `status`.
[[noreturn]] void exit(int status);

enum class FileMode : uint32_t { kRead = 1, kWrite = 5 };  // binary, both

// A file of the host. `handle` is -1 where open failed.
struct HostFile {
  int32_t handle;
};

// `path` is NUL-terminated, relative to the emulator's working directory.
[[nodiscard]] HostFile open_host_file(const char* path, FileMode mode);
void close_host_file(HostFile file);

// Length in bytes, -1 on error.
[[nodiscard]] int32_t host_file_bytes(HostFile file);

// True when all bytes were read or written.
[[nodiscard]] bool read_host_file(HostFile file, std::span<uint8_t> to);
[[nodiscard]] bool write_host_file(HostFile file, std::span<const uint8_t> from);

// Copies the command line given to the emulator into `to`, with a final NUL; false when it is too
// long.
[[nodiscard]] bool command_line(std::span<char> to);

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0

// Fills the blocks of arguments of semihosting calls, whose words are as wide as a register.
#include "boards/bare/semihosting.h"

#include <cstddef>

namespace arenite::board {
namespace {

enum class Operation : uintptr_t {
  kOpen = 0x01,
  kClose = 0x02,
  kWrite = 0x05,
  kRead = 0x06,
  kLength = 0x0C,
  kGetCommandLine = 0x15,
  kExitExtended = 0x20,
};

int32_t call(Operation operation, const void* arguments) {
  return static_cast<int32_t>(semihosting_call(static_cast<uintptr_t>(operation), arguments));
}

uintptr_t address(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

}  // namespace

void exit(int status) {
  constexpr uintptr_t kStoppedByApplication = 0x20026;
  const uintptr_t arguments[] = {kStoppedByApplication, static_cast<uintptr_t>(status)};
  while (true) call(Operation::kExitExtended, arguments);
}

HostFile open_host_file(const char* path, FileMode mode) {
  uintptr_t path_bytes = 0;
  while (path[path_bytes] != '\0') ++path_bytes;
  const uintptr_t arguments[] = {address(path), static_cast<uintptr_t>(mode), path_bytes};
  return {.handle = call(Operation::kOpen, arguments)};
}

void close_host_file(HostFile file) {
  const uintptr_t arguments[] = {static_cast<uintptr_t>(file.handle)};
  call(Operation::kClose, arguments);
}

int32_t host_file_bytes(HostFile file) {
  const uintptr_t arguments[] = {static_cast<uintptr_t>(file.handle)};
  return call(Operation::kLength, arguments);
}

bool read_host_file(HostFile file, std::span<uint8_t> to) {
  const uintptr_t arguments[] = {static_cast<uintptr_t>(file.handle), address(to.data()),
                                 static_cast<uintptr_t>(to.size())};
  return call(Operation::kRead, arguments) == 0;  // the answer is the number of bytes not read
}

bool write_host_file(HostFile file, std::span<const uint8_t> from) {
  const uintptr_t arguments[] = {static_cast<uintptr_t>(file.handle), address(from.data()),
                                 static_cast<uintptr_t>(from.size())};
  return call(Operation::kWrite, arguments) == 0;
}

bool command_line(std::span<char> to) {
  const uintptr_t arguments[] = {address(to.data()), static_cast<uintptr_t>(to.size())};
  return call(Operation::kGetCommandLine, arguments) == 0;
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0

// Makes Arm semihosting calls: an operation number, a block of arguments, and a breakpoint.
#include "boards/cortex_m/semihosting.h"

#include <cstddef>

namespace arenite::board {
namespace {

enum class Operation : int32_t {
  kOpen = 0x01,
  kClose = 0x02,
  kWrite = 0x05,
  kRead = 0x06,
  kLength = 0x0C,
  kGetCommandLine = 0x15,
  kExitExtended = 0x20,
};

int32_t call(Operation operation, const void* arguments) {
  register int32_t r0 asm("r0") = static_cast<int32_t>(operation);
  register const void* r1 asm("r1") = arguments;
  asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

uint32_t address(const void* pointer) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pointer));
}

}  // namespace

void exit(int status) {
  constexpr uint32_t kStoppedByApplication = 0x20026;
  const uint32_t arguments[] = {kStoppedByApplication, static_cast<uint32_t>(status)};
  while (true) call(Operation::kExitExtended, arguments);
}

HostFile open_host_file(const char* path, FileMode mode) {
  uint32_t path_bytes = 0;
  while (path[path_bytes] != '\0') ++path_bytes;
  const uint32_t arguments[] = {address(path), static_cast<uint32_t>(mode), path_bytes};
  return {.handle = call(Operation::kOpen, arguments)};
}

void close_host_file(HostFile file) {
  const uint32_t arguments[] = {static_cast<uint32_t>(file.handle)};
  call(Operation::kClose, arguments);
}

int32_t host_file_bytes(HostFile file) {
  const uint32_t arguments[] = {static_cast<uint32_t>(file.handle)};
  return call(Operation::kLength, arguments);
}

bool read_host_file(HostFile file, std::span<uint8_t> to) {
  const uint32_t arguments[] = {static_cast<uint32_t>(file.handle), address(to.data()),
                                static_cast<uint32_t>(to.size())};
  return call(Operation::kRead, arguments) == 0;  // the answer is the number of bytes not read
}

bool write_host_file(HostFile file, std::span<const uint8_t> from) {
  const uint32_t arguments[] = {static_cast<uint32_t>(file.handle), address(from.data()),
                                static_cast<uint32_t>(from.size())};
  return call(Operation::kWrite, arguments) == 0;
}

bool command_line(std::span<char> to) {
  const uint32_t arguments[] = {address(to.data()), static_cast<uint32_t>(to.size())};
  return call(Operation::kGetCommandLine, arguments) == 0;
}

}  // namespace arenite::board
// SPDX-License-Identifier: Apache-2.0

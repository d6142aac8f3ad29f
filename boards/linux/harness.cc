// The harness as a process of Linux: every form, and the protocol over standard input and output.
#include <sys/mman.h>
#include <unistd.h>
#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include <cstdio>
#include <ctime>

#include "boards/harness/serve.h"
#include "portable_fallback/forms.h"

namespace {

using namespace arenite;

bool read_all(void*, std::span<uint8_t> to) {
  while (!to.empty()) {
    const ssize_t got = ::read(STDIN_FILENO, to.data(), to.size());
    if (got <= 0) return false;
    to = to.subspan(static_cast<size_t>(got));
  }
  return true;
}

void write_all(void*, std::span<const uint8_t> from) {
  while (!from.empty()) {
    const ssize_t sent = ::write(STDOUT_FILENO, from.data(), from.size());
    if (sent <= 0) _exit(1);
    from = from.subspan(static_cast<size_t>(sent));
  }
}

uint64_t nanoseconds(void*) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// This machine may have more than the harness was compiled for.
CpuFeatures features_of_machine() {
  CpuFeatures features = compiled_cpu_features();
#if defined(__aarch64__)
  if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0) features |= bit_of(CpuFeature::kDotprod);
#endif
  return features;
}

// Pages that take no memory before something is written there.
std::span<std::byte> memory_of(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("mmap");
    _exit(1);
  }
  return {static_cast<std::byte*>(memory), bytes};
}

}  // namespace

int main() {
  const harness::Memory ram = {"ram", memory_of(ARENITE_BOARD_RAM_BYTES)};
  const harness::Port port = {.board = ARENITE_BOARD,
                              .read = read_all,
                              .write = write_all,
                              .nanoseconds = nanoseconds,
                              .memories = {&ram, 1},
                              .store = memory_of(ARENITE_BOARD_STORE_BYTES),
                              .features = features_of_machine()};
  return harness::serve(port, all_ops()) ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0

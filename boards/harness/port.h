// Functions that a board gives the harness: a byte stream, a clock, memories, and the stack's
// depth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/cpu_features.h"

namespace arenite::harness {

struct Memory {
  std::string_view name;  // as in the board file
  std::span<std::byte> bytes;
};

struct Port {
  std::string_view board;  // name, at most 63 bytes
  // Both wait until all bytes have come or gone. read returns false when no more will come.
  void* context = nullptr;
  bool (*read)(void* context, std::span<uint8_t> to) = nullptr;
  void (*write)(void* context, std::span<const uint8_t> from) = nullptr;
  uint64_t (*nanoseconds)(void* context) = nullptr;
  // Marks the unused stack and returns the bytes in use now; stack_used then tells how many have
  // been in use since. Null: 0 is reported.
  size_t (*stack_paint)(void* context) = nullptr;
  size_t (*stack_used)(void* context) = nullptr;
  std::span<const Memory> memories;  // where arenas may lie
  std::span<std::byte> store;        // where programs are put: 64-aligned
  // A machine may have more than the harness was compiled for.
  CpuFeatures features = compiled_cpu_features();
};

}  // namespace arenite::harness
// SPDX-License-Identifier: Apache-2.0

// The embedded image of a Cortex-M board: the one program it is built with, over the first serial
// port.
#include <algorithm>

#include "boards/cortex_m/console.h"
#include "boards/embedded/run.h"
#include "program.h"

namespace {

constexpr const auto& kMethod = arenite_program::kMethods[0];

// Inputs and outputs that the program leaves to the caller: here, the serial port's side.
constexpr size_t kLentAlignment = 64;

constexpr size_t lent_bytes(const arenite_program::Arena& arena) {
  if (arena.storage != nullptr) return 0;
  return (arena.bytes + kLentAlignment - 1) / kLentAlignment * kLentAlignment;
}

constexpr size_t all_lent_bytes() {
  size_t bytes = 0;
  for (const auto& arena : kMethod.arenas) bytes += lent_bytes(arena);
  return bytes;
}

}  // namespace

extern "C" int image_main();
extern "C" int image_main() {
  std::span<std::byte> arenas[arenite::kMaxArenas];
  size_t arena_count = 0;
  alignas(kLentAlignment) static std::byte lent[std::max<size_t>(all_lent_bytes(), 1)];
  size_t lent_before = 0;
  for (const auto& arena : kMethod.arenas) {
    std::byte* storage = arena.storage != nullptr ? arena.storage : lent + lent_before;
    arenas[arena_count++] = {storage, arena.bytes};
    lent_before += lent_bytes(arena);
  }
  const arenite::embedded::Firmware firmware = {
      .program = arenite_program::program(),
      .method = kMethod.method,
      .variant = kMethod.variant,
      .arenas = {arenas, arena_count},
      .kernels = arenite_program::kKernelTable,
      .inputs = static_cast<uint32_t>(kMethod.inputs.size()),
      .outputs = static_cast<uint32_t>(kMethod.outputs.size()),
      .read = arenite::board::read_bytes,
      .write = arenite::board::write_bytes};
  return arenite::embedded::run_firmware(firmware) ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0

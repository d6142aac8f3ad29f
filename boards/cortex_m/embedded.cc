// The embedded image of a Cortex-M board: the one program it is built with, over the first serial
// port.
#include "boards/cortex_m/console.h"
#include "boards/embedded/run.h"
#include "program.h"

namespace {

constexpr const auto& kMethod = arenite_program::kMethods[0];

}  // namespace

extern "C" int image_main();
extern "C" int image_main() {
  std::span<std::byte> arenas[arenite::kMaxArenas];
  size_t arena_count = 0;
  for (const auto& arena : kMethod.arenas) arenas[arena_count++] = {arena.storage, arena.bytes};
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

// Loads one program and runs it whenever it is told to.
#include "boards/embedded/run.h"

extern "C" [[gnu::noinline]] void arenite_run_begin() { asm volatile(""); }
extern "C" [[gnu::noinline]] void arenite_run_end() { asm volatile(""); }

namespace arenite::embedded {
namespace {

template <typename T>
std::span<T> bytes_of(const void* data, size_t bytes) {
  return {static_cast<T*>(const_cast<void*>(data)), bytes};
}

bool tell(const Firmware& firmware, Status status) {
  const uint32_t words[] = {static_cast<uint32_t>(status.code), status.step, status.value};
  firmware.write(bytes_of<const uint8_t>(words, sizeof words));
  return status.ok();
}

Status load(const Firmware& firmware, Program& program, Instance& instance) {
  ARENITE_TRY(Program::open(firmware.program, program));
  LoadOptions options;
  options.method = firmware.method;
  options.variant = firmware.variant;
  options.arenas = firmware.arenas;
  options.kernels = firmware.kernels;
  return instance.load(program, options);
}

bool run_once(const Firmware& firmware, Instance& instance) {
  for (uint32_t i = 0; i < firmware.inputs; ++i) {
    const std::span<std::byte> input = instance.input(i);
    firmware.read(bytes_of<uint8_t>(input.data(), input.size()));
  }
  arenite_run_begin();
  const Status status = instance.run();
  arenite_run_end();
  if (!tell(firmware, status)) return false;
  for (uint32_t i = 0; i < firmware.outputs; ++i) {
    const std::span<const std::byte> output = instance.output(i);
    firmware.write(bytes_of<const uint8_t>(output.data(), output.size()));
  }
  return true;
}

}  // namespace

bool run_firmware(const Firmware& firmware) {
  Program program;
  Instance instance;
  if (!tell(firmware, load(firmware, program, instance))) return false;
  bool good = true;
  for (uint8_t command = 0; firmware.read({&command, 1}), command == 'r';) {
    good = run_once(firmware, instance) && good;
  }
  return good;
}

}  // namespace arenite::embedded
// SPDX-License-Identifier: Apache-2.0

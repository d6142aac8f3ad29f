// Loads one model and runs it on each request.
#include "boards/embedded/run.h"

extern "C" [[gnu::noinline]] void arenite_run_begin() { asm volatile(""); }
extern "C" [[gnu::noinline]] void arenite_run_end() { asm volatile(""); }

namespace arenite::embedded {
namespace {

static_assert(sizeof(Status) == 12, "three words: code, step, value");

bool tell(const Firmware& firmware, const Status& status) {
  firmware.write({reinterpret_cast<const uint8_t*>(&status), sizeof status});
  return status.ok();
}

bool run_once(const Firmware& firmware) {
  ModelInstance& instance = *firmware.instance;
  uint32_t index = 0;
  for (const size_t bytes : firmware.input_bytes) {
    firmware.read({static_cast<uint8_t*>(instance.input(index++)), bytes});
  }
  arenite_run_begin();
  const Status status = instance.run();
  arenite_run_end();
  if (!tell(firmware, status)) return false;
  index = 0;
  for (const size_t bytes : firmware.output_bytes) {
    firmware.write({static_cast<const uint8_t*>(instance.output(index++)), bytes});
  }
  return true;
}

}  // namespace

bool run_firmware(const Firmware& firmware) {
  if (!tell(firmware, firmware.load())) return false;
  bool good = true;
  for (uint8_t command = 0; firmware.read({&command, 1}), command == 'r';) {
    good = run_once(firmware) && good;
  }
  return good;
}

}  // namespace arenite::embedded
// SPDX-License-Identifier: Apache-2.0

// A firmware around one model that is part of the image: loads it, then serves runs over a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "include/arenite/model.h"

namespace arenite::embedded {

struct Firmware {
  ModelInstance* instance = nullptr;
  Status (*load)() = nullptr;  // loads the instance
  Status (*lend)() = nullptr;  // binds what the application lends to the loaded instance
  // They have an entry for each input and output, 0 for a state, which the model keeps for itself.
  std::span<const size_t> input_bytes, output_bytes;
  // Wait until all bytes have come or gone.
  void (*read)(std::span<uint8_t> to) = nullptr;
  void (*write)(std::span<const uint8_t> from) = nullptr;
  // An emulator places inputs here that would take long on the stream: those of the first run, the
  // second and so on, each behind the one before.
  const std::byte* store = nullptr;
  // Marks the unused stack and returns the bytes in use now; stack_used then tells how many have
  // been in use since.
  size_t (*stack_paint)() = nullptr;
  size_t (*stack_used)() = nullptr;
};

// Loads the model and answers. Then, for each byte 'r' that comes, reads the inputs' bytes, runs,
// and answers; for each 's' it takes the next inputs of the store. Any other byte ends it. An
// answer is four words: the status (code, step, value) of the call, and the bytes of stack that it
// took; behind that of a good run come the outputs' bytes. Returns whether all statuses were good.
bool run_firmware(const Firmware& firmware);

}  // namespace arenite::embedded

// Loading lies between calls of the first two, every run between calls of the others; instruction
// counters look for their names.
extern "C" void arenite_load_begin();
extern "C" void arenite_load_end();
extern "C" void arenite_run_begin();
extern "C" void arenite_run_end();
// SPDX-License-Identifier: Apache-2.0

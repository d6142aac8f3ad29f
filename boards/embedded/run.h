// A firmware around one model that is part of the image: loads it, then serves runs over a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "include/arenite/model.h"

namespace arenite::embedded {

struct Firmware {
  ModelInstance* instance = nullptr;
  Status (*load)() = nullptr;  // loads the instance, and binds what the application lends
  std::span<const size_t> input_bytes, output_bytes;
  // Wait until all bytes have come or gone.
  void (*read)(std::span<uint8_t> to) = nullptr;
  void (*write)(std::span<const uint8_t> from) = nullptr;
};

// Loads the model and answers with its status: three words (code, step, value). Then, for each byte
// 'r' that comes, reads the inputs' bytes, runs, and answers with a status and, where that is good,
// the outputs' bytes. Any other byte ends it. Returns whether all statuses were good.
bool run_firmware(const Firmware& firmware);

}  // namespace arenite::embedded

// Every run lies between calls of these two; instruction counters look for their names.
extern "C" void arenite_run_begin();
extern "C" void arenite_run_end();
// SPDX-License-Identifier: Apache-2.0

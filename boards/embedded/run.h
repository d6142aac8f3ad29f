// A firmware around one program that is part of the image: loads it, then serves runs over a
// stream.
#pragma once

#include <cstdint>
#include <span>

#include "core/instance.h"
#include "core/kernel.h"

namespace arenite::embedded {

struct Firmware {
  std::span<const std::byte> program;
  uint32_t method = 0, variant = 0;
  std::span<const std::span<std::byte>> arenas;
  KernelTable kernels;
  uint32_t inputs = 0, outputs = 0;  // how many
  // Wait until all bytes have come or gone.
  void (*read)(std::span<uint8_t> to) = nullptr;
  void (*write)(std::span<const uint8_t> from) = nullptr;
};

// Opens and loads the program and answers with its status: three words (code, step, value). Then,
// for each byte 'r' that comes, reads the inputs' bytes, runs, and answers with a status and, where
// that is good, the outputs' bytes. Any other byte ends it. Returns whether all statuses were good.
bool run_firmware(const Firmware& firmware);

}  // namespace arenite::embedded

// Every run lies between calls of these two; instruction counters look for their names.
extern "C" void arenite_run_begin();
extern "C" void arenite_run_end();
// SPDX-License-Identifier: Apache-2.0

// Decides what the emulator places in the board's program store, and what goes over the stream.
//
// The stream into an emulated board is slow (about 20 KB/s), so only little goes over it: a program
// up to kStreamedProgramBytes, inputs up to kStreamedInputBytes in all. The rest lies in one file:
// the program, then every run's inputs, each at a multiple of 64 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tools/run/program_file.h"
#include "tools/target/target.h"

namespace arenite::tools {

inline constexpr size_t kStreamedProgramBytes = 2 * 1024;
inline constexpr size_t kStreamedInputBytes = 2 * 1024;

struct StoreImage {
  std::vector<std::byte> bytes;  // empty: nothing is placed
  bool holds_program = false;
  bool holds_inputs = false;
  // The start of each input of each task: offsets[task][input]; run r's lies r times its bytes on.
  std::vector<std::vector<uint32_t>> offsets;
};

// `capacity`: the bytes that the store can take; 0 if the emulator can't place files. Files that do
// not fit go over the stream.
StoreImage make_store(const ProgramFile& file, std::span<const TargetTask> tasks, size_t capacity);

// The bytes that the emulator can place in the store of the harness image.
size_t store_capacity(const planner::Board& board);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

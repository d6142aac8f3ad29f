// Bytes that hold data in each arena at each step of a variant.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/run/program_file.h"

namespace arenite::tools {

struct LiveBytes {
  std::string arena;
  std::vector<uint64_t> by_step;
};

// Bytes that several tensors share count once. Arenas without a tensor are left out. `variant` is
// relative to the method.
std::vector<LiveBytes> live_bytes(const ProgramFile& file, uint32_t method, uint32_t variant);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// Outputs without the rows that hold no results.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "tools/io/tensor.h"
#include "tools/run/program_file.h"

namespace arenite::tools {

// Cuts each output of a run of the method to so many rows as another output of that run counts.
// Returns those of them that count.
std::set<uint32_t> keep_results(const ProgramFile& file, uint32_t method,
                                std::vector<HostTensor>& outputs);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

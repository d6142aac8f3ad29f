// Inputs for those who have none at hand: the same ones on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/io/tensor.h"
#include "tools/run/program_file.h"

namespace arenite::tools {

// For each input of the method that is no state: floats from -1 to 1 and 8-bit integers over all
// they have, spread evenly; other integers and bools 0 or 1, which are indices into almost
// anything.
std::vector<HostTensor> make_up_inputs(const ProgramFile& file, uint32_t method);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

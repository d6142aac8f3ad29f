// Reads which dims of an output a run fills in part, for what shows programs or writes headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/program.h"

namespace arenite::planner {

// Only the first rows along `axis` hold results: as many as output `count` of the method says.
struct CountedDim {
  uint32_t axis, count;
};

// Those of an output of that rank; none where all rows hold results.
std::vector<CountedDim> counted_dims(const Program& program, uint32_t method, uint32_t output,
                                     size_t rank);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

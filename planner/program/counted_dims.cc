// Asks the section of counts about each dim.
#include "planner/program/counted_dims.h"

#include "core/sections.h"

namespace arenite::planner {

std::vector<CountedDim> counted_dims(const Program& program, uint32_t method, uint32_t output,
                                     size_t rank) {
  std::vector<CountedDim> dims;
  const auto counts = program.section(format::SectionKind::kCounts);
  for (uint32_t axis = 0; axis < rank; ++axis) {
    if (const auto count = count_output(counts, method, output, axis)) {
      dims.push_back({axis, *count});
    }
  }
  return dims;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

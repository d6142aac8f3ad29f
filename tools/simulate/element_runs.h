// The bytes that the elements of an operand take.
#pragma once

#include <cstdint>
#include <vector>

#include "core/step.h"

namespace arenite::tools {

struct ByteRange {
  uint64_t begin = 0, end = 0;
};

// From the tensor's first byte on, in rising order, none touching the next. One range where the
// elements lie side by side.
std::vector<ByteRange> element_runs(const Tensor& tensor);

// The parts of [begin, end) that are in none of `others`.
std::vector<ByteRange> subtract(ByteRange from, std::vector<ByteRange> others);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

// From a node's logical operands to the exact dims, strides and attributes its kernel takes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/graph.h"

namespace arenite::planner {

// Dims and strides (elements) over some storage, starting `offset` elements in.
struct Strided {
  std::vector<uint32_t> dims, strides;
  uint64_t offset = 0;
  Layout layout = Layout::kStrided;
};

// Row-major strides.
Strided row_major(const std::vector<uint32_t>& dims);

// What the program stores for a step.
struct RuntimeForm {
  std::vector<std::optional<Strided>> inputs, outputs;  // as the node's
  std::vector<uint32_t> attributes;
};

// `inputs` and `outputs` hold the storage form of each operand with the node's logical dims
// (nullopt where left out). Gives 1-D convolutions a height of 1, pools three spatial dims,
// broadcast operands stride 0 and one rank, and merges and reorders the dims of elementwise ops so
// that the output's strides fall and adjacent dims join.
RuntimeForm runtime_form(const Node& node, const std::vector<std::optional<Strided>>& inputs,
                         const std::vector<std::optional<Strided>>& outputs);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Turns a node's logical operands into the exact dims and strides of its steps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/format.h"
#include "core/layout.h"
#include "planner/graph/graph.h"

namespace arenite::planner {

// Dims and strides (elements) over some storage, starting `offset` elements in. Strides of what
// lies in blocks are what programs store there (core/layout.h).
struct Strided {
  std::vector<uint32_t> dims, strides;
  uint64_t offset = 0;
  Layout layout = Layout::kStrided;
};

// The words that say how it lies, as programs store them: dims, then strides.
std::vector<uint32_t> shape_words(const Strided& form);

// Says in a record what it says of elements of that type and form wherever they lie.
void describe(format::ElementsRecord& record, DType dtype, const Strided& form);

// Row-major strides.
Strided row_major(const std::vector<uint32_t>& dims);

// Operands as the program stores them for a step.
struct StepOperands {
  std::vector<std::optional<Strided>> inputs, outputs;  // as the node's
};

// `inputs` and `outputs` hold the storage form of each operand with the node's logical dims
// (nullopt if left out). The operator's layout class decides what becomes of them. Images get the
// dims of the contract (1-D convolutions a height of 1, pools three spatial dims). Broadcast
// operands get stride 0 and one rank. The dims of elementwise operators are merged and reordered so
// that the output's strides fall and adjacent dims join.
StepOperands step_operands(Op op, const std::vector<std::optional<Strided>>& inputs,
                           const std::vector<std::optional<Strided>>& outputs);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

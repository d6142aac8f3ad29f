// In which order of memory the reference forms compute an operand fastest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "planner/graph/graph.h"
#include "planner/graph/operands.h"

namespace arenite::planner {

// Convolutions take images with their channels innermost, and weights with their outputs innermost:
// the plain loops then become vector instructions, and no sum changes its order. All others
// row-major. `input` is kNoIndex for an output.
Strided fast_form(const Node& node, uint32_t input, const std::vector<uint32_t>& dims);

// Copies a tensor from one form to another of the same dims; both are dense.
void move_elements(DType dtype, const std::byte* from, const Strided& from_form, std::byte* to,
                   const Strided& to_form);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Lays constant operands as their forms like them best: weights in blocks or rows.
#pragma once

#include <cstddef>
#include <vector>

#include "core/contract.h"
#include "planner/graph/graph.h"
#include "planner/graph/strides.h"

namespace arenite::planner {

struct PackedConstant {
  std::vector<std::byte> bytes;
  Strided form;  // the same logical dims over the new bytes
};

// `form` describes the elements within `bytes`; `packings` are those that are wanted. Weights of a
// convolution (operand 1): blocks where they are wanted and groups = 1; [KH][KW][O] where each
// group has one input channel; else [O][KH][KW][I]. The right side of a matmul without batch dims:
// blocks where they are wanted; one of integers: each column's elements side by side. Integers are
// never in panels, and in blocks of 4 bits only if all fit. Anything else: row-major. Weights of
// int8 and uint8 that all fit 4 bits: two a byte where that is wanted.
PackedConstant pack_constant(const Node& node, uint32_t operand,
                             const std::vector<std::byte>& bytes, DType dtype, const Strided& form,
                             const Packings& packings);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

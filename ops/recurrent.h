// Operands by place, and the sizes, of the operators of family recurrent.
#pragma once

#include <cstdint>

#include "core/step.h"
#include "core/types.h"
#include "ops/attributes.h"

namespace arenite {

enum RecurrentInput : uint32_t { kX, kW, kR, kBias, kLengths, kInitialH, kInitialC, kPeepholes };
enum RecurrentOutput : uint32_t { kY, kYH, kYC };

// Gates of a cell, functions of one, and outputs that it can have.
constexpr uint32_t gates_of(Op op) { return op == Op::kLSTM ? 4 : op == Op::kGRU ? 3 : 1; }
constexpr uint32_t functions_of(Op op) { return op == Op::kLSTM ? 3 : op == Op::kGRU ? 2 : 1; }
constexpr uint32_t recurrent_outputs_of(Op op) { return op == Op::kLSTM ? 3 : 2; }

struct RecurrentSizes {
  uint32_t steps, batch, inputs, hidden, directions;
};
// Sizes of a step that keeps its contract.
inline RecurrentSizes recurrent_sizes(const Step& step) {
  const Tensor x = step.input(kX);
  const Tensor r = step.input(kR);
  return {x.dims[0], x.dims[1], x.dims[2], r.dims[1], r.dims[0]};
}

// The number of outputs that the bits stand for. Counted by hand: compilers call a library for it.
constexpr uint32_t count_of_outputs(uint32_t outputs) {
  return (outputs & 1u) + (outputs >> 1 & 1u) + (outputs >> 2 & 1u);
}

// The place of an output among those that a step has; kNoIndex where it has it not.
constexpr uint32_t place_of_output(uint32_t outputs, RecurrentOutput output) {
  if ((outputs >> output & 1u) == 0) return kNoIndex;
  return count_of_outputs(outputs & ((1u << output) - 1u));
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

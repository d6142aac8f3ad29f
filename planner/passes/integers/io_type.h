// Chooses whether a quantized model takes and gives numbers, or the integers that stand for them.
#pragma once

#include "planner/graph/graph.h"

namespace arenite::planner {

enum class IoType : uint8_t {
  kModel,   // as the model has it
  kFloat,   // float32: quantized inside
  kNative,  // integers, with what they stand for in the program
};

// Changes the types of a graph's inputs and outputs, once it has been optimized; they keep their
// names. What cannot be changed is noted: an input that something else than one quantization
// reads, an output that is no quantized number.
void set_io_type(Graph& graph, IoType type);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Facts of operators that the planner alone asks; contracts hold those that devices ask too.
#pragma once

#include <cstdint>
#include <optional>

#include "ops/attributes.h"
#include "planner/graph/graph.h"
#include "planner/graph/operands.h"

namespace arenite::planner {

// The way in which a result is put together from the inputs, so that producers may write it in
// parts.
enum class Assembly : uint8_t {
  kNone,
  kSideBySide,    // the inputs along an axis (ConcatAttributes)
  kWithinBorder,  // input 0 and one value around it (PadAttributes, of PadMode::kValue alone)
};

// The kind of weights that input 1 of a node is: a constant that may be stored in another order.
enum class Weights : uint8_t {
  kNone,
  kFilters,         // of a convolution: [O, I, ...], over all input channels
  kGroupedFilters,  // each over the input channels of its group
  kMatrix,          // the right side of a matrix product
};

// A function answers false or nothing for a node that it is not about; a null function does so for
// every node.
struct OpFacts {
  Op op;
  // Whether the node hands its first input on unchanged. Asked only where its one output has that
  // input's type and dims.
  bool (*is_identity)(const Graph& graph, const Node& node) = nullptr;
  // The activation that the node applies to each element of its first input, if the step that
  // computes the element can apply it last.
  std::optional<Activation> (*activation)(const Node& node) = nullptr;
  // The form of the node's output over the storage that holds its input in the form `input`;
  // nothing when no strides reach the elements.
  std::optional<Strided> (*view)(const Node& node, const Value& output,
                                 const Strided& input) = nullptr;
  Assembly assembly = Assembly::kNone;
  Weights (*weights)(const Node& node) = nullptr;
  // Whether a step has all its outputs, read or not: its results lie in them.
  bool keeps_outputs = false;
  // Each result is an element of its second input, or of the third where the first says false.
  bool chooses = false;
  // Computes with integers what a model's numbers stand for (planner/passes/integers).
  bool is_integer = false;
  // A result adds up, or multiplies, so many numbers that its size says little of theirs.
  bool sums_up = false;
  // Forms for CPUs without vectors take less time than references on those with vectors, too.
  bool scalar_anywhere = false;
  // Turns 16-bit floats that the attributes hold into float32.
  void (*widen)(Node& node, DType half) = nullptr;
  // Turns float32 numbers of type T in a step's attributes into float16; false where one would not
  // be finite any more.
  bool (*narrow)(std::vector<uint32_t>& attributes) = nullptr;
};

// The facts of an operator; only `op` is set if there are none.
OpFacts facts_of(Op op);

// Whether an activation is fused into the node.
bool has_activation(const Node& node);
// Takes it from a node that has one.
Activation take_activation(Node& node);
// Ends the node in an activation, which its operator must be able to have.
void set_activation(Node& node, const Activation& activation);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

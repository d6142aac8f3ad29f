// Decides which tensors of a model become integers.
//
// Convolutions and matrix products with constant weights do, and what is computed between them;
// what only moves elements does so with integers where a neighbor has them, and shares their
// scale. Activations and biases stay with the node whose results they bend.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "planner/quantizer/model_editor.h"
#include "planner/quantizer/ranges.h"

namespace arenite::planner::quantizer {

// A node with constant weights.
struct Weighted {
  int node = 0;
  int input = 1;              // its weights
  uint32_t axis = 0;          // of them, along which each index has a scale of its own
  uint32_t channel_axis = 1;  // of its data, along which elements meet weights of their own
  // The node of its bias: itself for operand 2, or an Add of a constant behind it. A node without a
  // bias gets a new operand if the operator has one.
  int bias_node = kNobody;
  int bias_input = 2;
  bool takes_bias = false;
};

struct Placement {
  // Run-time tensors to be quantized, in the order in which they are made; inputs first.
  std::vector<std::string> tensors;
  // Constants that such are computed with.
  std::vector<std::string> constants;
  // For both: tensors with one scale share one name here.
  std::map<std::string, std::string> shared;
  // Results known to lie in a range, whatever samples show.
  std::map<std::string, Range> fixed;
  std::vector<Weighted> weighted;
  std::vector<bool> is_integer;  // of each node: it reads integers where there are some
};

// Nodes that read or make one of `barred` stay float.
Placement place(const ModelEditor& model, const std::set<std::string>& barred = {});

}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0

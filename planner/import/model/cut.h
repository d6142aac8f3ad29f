// A part of an ONNX model as a model of its own: some of its values, and what they need.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "planner/import/model/model.h"

namespace arenite::planner {

// The names that a cut may end at: inputs, initializers, and what nodes make.
std::set<std::string> value_names(const Model& model);

// Throws InputError for an output that is none of `values`, or is named twice.
void check_outputs(const std::vector<std::string>& outputs, const std::set<std::string>& values);

// Makes the values named the model's outputs. Nodes, initializers and inputs that these do not need
// go, with what stands in their way. Returns a note of what went. Throws what check_outputs throws.
std::string cut(Model& model, const std::vector<std::string>& outputs);

// "--outputs 'a', 'b': 3 of 10 operators are left out, and so is what they alone read: 'n'".
struct LeftOut {
  size_t operators = 0, of = 0;
  std::vector<std::string> inputs;
};
std::string cut_note(const std::vector<std::string>& outputs, const LeftOut& left_out);

// For an `instead` that advises to cut the model before a node: names the node's inputs for
// --outputs.
std::string cut_advice(const std::string& instead, const ModelNode& node);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

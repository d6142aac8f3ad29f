// Settles what a case leaves unsaid: its outputs, and the types of what it expects nothing of.
#include "tests/planner/cases/case.h"

#include <algorithm>

namespace arenite::planner::cases {

bool has_value(const Case& test, const std::string& name) {
  const auto is_named = [&](const Tensor& tensor) { return tensor.name == name; };
  const auto makes = [&](const Operator& op) {
    return std::find(op.outputs.begin(), op.outputs.end(), name) != op.outputs.end();
  };
  return std::any_of(test.tensors.begin(), test.tensors.end(), is_named) ||
         std::any_of(test.operators.begin(), test.operators.end(), makes);
}

std::vector<std::string> output_names(const Case& test) {
  std::vector<std::string> names;
  for (const Expectation& output : test.outputs) {
    // The next state of a variable is an output that the model does not name.
    const bool twice = std::find(names.begin(), names.end(), output.name) != names.end();
    if (!twice && has_value(test, output.name)) names.push_back(output.name);
  }
  if (!names.empty() || test.operators.empty()) return names;
  names = test.operators.back().outputs;
  std::erase(names, "");
  return names;
}

OnnxType type_of(const Case& test, const std::string& name) {
  for (const Expectation& output : test.outputs) {
    if (output.name == name) return output.type;
  }
  for (const Tensor& tensor : test.tensors) {
    if (tensor.name == name) return tensor.type;
  }
  return {DType::kFloat32};
}

}  // namespace arenite::planner::cases
// SPDX-License-Identifier: Apache-2.0

// Finds the graph inputs whose values decide shapes: they have to be known while planning.
#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "planner/import.h"
#include "planner/import/model.h"

namespace arenite::planner {
namespace {

// The operands of a node that import needs as constants.
std::vector<size_t> shape_operands(const ModelNode& node, int64_t opset) {
  const std::string& op = node.op_type;
  if (op == "Reshape" && opset >= 5) return {1};
  if (op == "Slice" && opset >= 10) return {1, 2, 3, 4};
  if ((op == "Squeeze" || op == "Unsqueeze") && opset >= 13) return {1};
  if (op == "Pad" && opset >= 11) return {1, 3};
  if (op == "ReduceMean" && opset >= 18) return {1};
  if (op == "ConstantOfShape") return {0};
  // Not shapes, but they too decide what the node is.
  if (op == "Dropout" && opset >= 12 && node.inputs.size() > 2) return {1, 2};
  return {};
}

}  // namespace

std::vector<std::string> shape_deciding_inputs(std::span<const std::byte> file) {
  const Model model = read_model(file);
  std::unordered_map<std::string_view, const ModelNode*> makers;
  for (const ModelNode& node : model.nodes) {
    for (const std::string& output : node.outputs) makers.emplace(output, &node);
  }
  std::vector<std::string_view> wanted;
  for (const ModelNode& node : model.nodes) {
    if (!node.domain.empty()) continue;
    for (const size_t i : shape_operands(node, model.opset)) {
      if (i < node.inputs.size()) wanted.emplace_back(node.inputs[i]);
    }
  }
  // Everything those operands are computed from; a shape is known without its tensor's elements.
  std::set<std::string_view> seen;
  while (!wanted.empty()) {
    const std::string_view name = wanted.back();
    wanted.pop_back();
    if (name.empty() || !seen.insert(name).second) continue;
    const auto maker = makers.find(name);
    if (maker == makers.end() || maker->second->op_type == "Shape") continue;
    for (const std::string& input : maker->second->inputs) wanted.emplace_back(input);
  }
  std::vector<std::string> names;
  for (const ModelInput& input : model.inputs) {
    if (seen.contains(input.name)) names.push_back(input.name);
  }
  return names;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Finds the graph inputs whose values decide shapes: they have to be known while planning.
#include <set>
#include <string_view>
#include <unordered_map>

#include "planner/import/model/model.h"
#include "planner/import/onnx/import.h"
#include "planner/import/onnx/operators/ops.h"

namespace arenite::planner {

std::vector<std::string> shape_deciding_inputs(std::span<const std::byte> file) {
  const Model model = read_model(file);
  std::unordered_map<std::string_view, const ModelNode*> makers;
  for (const ModelNode& node : model.nodes) {
    for (const std::string& output : node.outputs) makers.emplace(output, &node);
  }
  std::vector<std::string_view> wanted;
  for (const ModelNode& node : model.nodes) {
    const ImportRow* row = find_import_row(node.domain, node.op_type);
    if (row == nullptr) continue;
    for (const size_t i : row->constant_operands(model.opset)) {
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

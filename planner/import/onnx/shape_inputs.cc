// Finds the graph inputs whose values decide shapes: they have to be known while planning.
#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "planner/import/model/model.h"
#include "planner/import/onnx/import.h"

namespace arenite::planner {
namespace {

// The operands that import needs as constants, from an opset on; of rows of one operator the first
// that applies.
struct Deciding {
  std::string_view op_type;
  int64_t opset;
  std::vector<size_t> operands;
};

const std::vector<Deciding>& deciding_operands() {
  static const std::vector<Deciding> rows = {
      {"AffineGrid", 20, {1}},
      {"BlackmanWindow", 17, {0}},
      {"CenterCropPad", 18, {1}},
      {"Col2Im", 18, {1, 2}},
      {"Compress", 1, {1}},
      {"ConstantOfShape", 1, {0}},
      {"CumSum", 1, {1}},
      {"DFT", 20, {1, 2}},
      {"DFT", 17, {1}},
      {"Expand", 1, {1}},
      {"HammingWindow", 17, {0}},
      {"HannWindow", 17, {0}},
      {"If", 1, {0}},
      {"MaxUnpool", 9, {2}},
      {"MelWeightMatrix", 17, {0, 1, 2, 3, 4}},
      {"OneHot", 1, {1}},
      {"Pad", 11, {1, 3}},
      {"Range", 1, {0, 1, 2}},
      {"ReduceL1", 18, {1}},
      {"ReduceL2", 18, {1}},
      {"ReduceLogSum", 18, {1}},
      {"ReduceLogSumExp", 18, {1}},
      {"ReduceMax", 18, {1}},
      {"ReduceMean", 18, {1}},
      {"ReduceMin", 18, {1}},
      {"ReduceProd", 18, {1}},
      {"ReduceSum", 13, {1}},
      {"ReduceSumSquare", 18, {1}},
      {"Reshape", 5, {1}},
      {"Resize", 11, {1, 2, 3}},
      {"Resize", 10, {1}},
      {"Slice", 10, {1, 2, 3, 4}},
      {"Split", 13, {1}},
      {"Squeeze", 13, {1}},
      {"STFT", 17, {1, 3}},
      {"Tile", 6, {1}},
      {"TopK", 10, {1}},
      {"Trilu", 1, {1}},
      {"Unsqueeze", 13, {1}},
      {"Upsample", 9, {1}},
  };
  return rows;
}

std::vector<size_t> shape_operands(const ModelNode& node, int64_t opset) {
  // These inputs are no shapes, but they too decide what the node is.
  if (node.op_type == "Dropout" && opset >= 12 && node.inputs.size() > 2) return {1, 2};
  for (const Deciding& row : deciding_operands()) {
    if (node.op_type == row.op_type && opset >= row.opset) return row.operands;
  }
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

// Renames what a graph defines, in its own nodes and in the graphs inside them.
#include "planner/import/onnx/branch.h"

#include <set>

#include "planner/graph/names.h"

namespace arenite::planner {
namespace {

std::set<std::string> defined_in(const Model& graph) {
  std::set<std::string> names;
  for (const ModelInput& input : graph.inputs) names.insert(input.name);
  for (const NamedTensor& tensor : graph.initializers) names.insert(tensor.name);
  for (const ModelNode& node : graph.nodes) names.insert(node.outputs.begin(), node.outputs.end());
  return names;
}

void rename(std::string& name, const Names& names) {
  const auto found = names.find(name);
  if (found != names.end()) name = found->second;
}

void rename_all(Model& graph, const Names& names);

// Renames the names that the node's own graphs capture; names that they define stay.
void rename_inside(ModelNode& node, const Names& names) {
  for (ModelAttribute& attribute : node.attributes) {
    if (attribute.graph == nullptr) continue;
    Names seen = names;
    for (const std::string& own : defined_in(*attribute.graph)) seen.erase(own);
    auto renamed = std::make_shared<Model>(*attribute.graph);
    rename_all(*renamed, seen);
    attribute.graph = std::move(renamed);
  }
}

void rename_all(Model& graph, const Names& names) {
  for (ModelNode& node : graph.nodes) {
    for (std::string& input : node.inputs) rename(input, names);
    for (std::string& output : node.outputs) rename(output, names);
    rename_inside(node, names);
  }
  for (NamedTensor& tensor : graph.initializers) rename(tensor.name, names);
  for (std::string& unread : graph.unread) rename(unread, names);
  for (ModelInput& output : graph.outputs) rename(output.name, names);
}

}  // namespace

void expect_condition(const OpContext& context, ValueId condition) {
  const Value& found = context.value(condition);
  if (found.dtype == DType::kBool && found.elements() == 1) return;
  context.fail("expected a condition of a single bool, found " + dtype_name(found.dtype) + " " +
               dims_text(found.dims));
}

Model with_own_names(const Model& graph, Names names, GraphBuilder& builder) {
  for (const std::string& name : defined_in(graph)) {
    if (!name.empty() && !names.contains(name)) names.emplace(name, builder.unique_name(name));
  }
  Model renamed = graph;
  rename_all(renamed, names);
  return renamed;
}

Model inlined_branch(const Model& branch, const ModelNode& node, GraphBuilder& builder) {
  const std::string where = describe(node) + ": ";
  if (!branch.inputs.empty()) throw InputError(where + "its branch has inputs, expected none");
  if (branch.outputs.size() < node.outputs.size()) {
    throw InputError(where + "its branch has " + std::to_string(branch.outputs.size()) +
                     " outputs, the node " + std::to_string(node.outputs.size()));
  }
  std::set<std::string> made;
  for (const ModelNode& inner : branch.nodes)
    made.insert(inner.outputs.begin(), inner.outputs.end());
  Names names;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!node.outputs[i].empty() && made.count(branch.outputs[i].name) != 0) {
      names.emplace(branch.outputs[i].name, node.outputs[i]);
    }
  }
  Model inlined = with_own_names(branch, std::move(names), builder);
  // A result that is captured, stored or wanted twice is passed on by a copy.
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const std::string& result = inlined.outputs[i].name;
    if (node.outputs[i].empty() || result == node.outputs[i]) continue;
    ModelNode copy;
    copy.name = source_name(node);
    copy.op_type = "Identity";
    copy.index = node.index;
    copy.inputs = {result};
    copy.outputs = {node.outputs[i]};
    inlined.nodes.push_back(std::move(copy));
  }
  return inlined;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

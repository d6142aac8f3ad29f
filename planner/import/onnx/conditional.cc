// Inlines branches under names of their own, and puts a Where between their results.
#include "planner/import/onnx/conditional.h"

#include <utility>

#include "planner/graph/names.h"
#include "planner/import/model/fix_advice.h"
#include "planner/import/model/inputs.h"
#include "planner/import/onnx/branch.h"

namespace arenite::planner {
namespace {

void import_branch(ImportState& state, const Model& branch, const ModelNode& node,
                   const ImportNodes& import) {
  const Model inlined = inlined_branch(branch, node, state.builder);
  for (const Obstacle& obstacle : inlined.obstacles) state.builder.add_obstacle(obstacle);
  state.unknown.insert(inlined.unread.begin(), inlined.unread.end());
  add_initializers(state, inlined);
  import(inlined.nodes);
}

// The node with names of its own for its outputs.
ModelNode with_outputs(const ModelNode& node, const char* ending, GraphBuilder& builder) {
  ModelNode other = node;
  for (std::string& output : other.outputs) {
    if (!output.empty()) output = builder.unique_name(output + ending);
  }
  return other;
}

}  // namespace

ModelNode node_for(const ModelNode& of, const char* op_type, std::vector<std::string> inputs,
                   std::string output) {
  ModelNode node;
  node.name = source_name(of);
  node.op_type = op_type;
  node.index = of.index;
  node.inputs = std::move(inputs);
  node.outputs = {std::move(output)};
  return node;
}

void set_int(ModelNode& node, const char* name, int64_t value) {
  ModelAttribute attribute;
  attribute.name = name;
  attribute.kind = ModelAttribute::Kind::kInt;
  attribute.kind_name = "int";
  attribute.i = value;
  node.attributes.push_back(std::move(attribute));
}

std::string Chooser::single_bool(const std::string& condition) {
  const ValueId id = state_.by_name.at(condition);
  expect_condition(context_, id);
  if (state_.builder.value(id).dims.empty()) return condition;
  const std::string name = state_.builder.unique_name(condition + ".single");
  import_({node_for(context_.node(), "Squeeze", {condition}, name)});
  return name;
}

void Chooser::choose(const std::string& condition, const std::string& first,
                     const std::string& second, const std::string& output) {
  const Value& a = state_.builder.value(state_.by_name.at(first));
  const Value& b = state_.builder.value(state_.by_name.at(second));
  if (a.dtype != b.dtype || !asked(a.dims == b.dims)) {
    context_.unsupported("the run decides whether " + quote(output) + " is " + dtype_name(a.dtype) +
                             " " + dims_text(a.dims) + " or " + dtype_name(b.dtype) + " " +
                             dims_text(b.dims),
                         "results of one type, with the same dims" +
                             fix_advice(state_.builder.graph(), state_.by_name.at(condition)));
  }
  if (state_.by_name.at(first) == state_.by_name.at(second)) {
    import_({node_for(context_.node(), "Identity", {first}, output)});
    return;
  }
  import_({node_for(context_.node(), "Where", {condition, first, second}, output)});
}

void import_if(ImportState& state, const ModelNode& node, const ImportRow& row,
               const ImportNodes& import) {
  OpContext context(state, node, row);
  context.expect_operands(1, 1, SIZE_MAX);
  expect_condition(context, context.input(0));
  const ModelAttribute* branches[2] = {context.find_attribute("else_branch"),
                                       context.find_attribute("then_branch")};
  for (const ModelAttribute* branch : branches) {
    if (branch == nullptr || branch->graph == nullptr) context.fail("a branch is missing");
  }
  if (context.is_constant(context.input(0))) {
    const bool taken = context.value(context.input(0)).constant->front() != std::byte{0};
    return import_branch(state, *branches[taken ? 1 : 0]->graph, node, import);
  }
  const ModelNode sides[2] = {with_outputs(node, ".else", state.builder),
                              with_outputs(node, ".then", state.builder)};
  for (const int side : {1, 0}) import_branch(state, *branches[side]->graph, sides[side], import);
  Chooser chooser(state, context, import);
  const std::string condition = chooser.single_bool(node.inputs[0]);
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i].empty()) continue;
    const std::string& first = sides[1].outputs[i];
    const std::string& second = sides[0].outputs[i];
    if (state.unknown.contains(first) || state.unknown.contains(second)) {
      state.unknown.insert(node.outputs[i]);
    } else {
      chooser.choose(condition, first, second, node.outputs[i]);
    }
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

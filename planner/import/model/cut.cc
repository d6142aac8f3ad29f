// Walks from the outputs back over all that they read, and keeps that.
#include "planner/import/model/cut.h"

#include <algorithm>

#include "planner/graph/graph.h"
#include "support/printable.h"
#include "support/suggest.h"
#include "support/word_errors.h"

namespace arenite::planner {
namespace {

using NameSet = std::set<std::string>;

// All names that the graphs inside a node read: those of the graph around them among them.
void add_inner_reads(const ModelNode& node, NameSet& names) {
  for (const ModelAttribute& attribute : node.attributes) {
    if (attribute.graph == nullptr) continue;
    for (const ModelNode& inner : attribute.graph->nodes) {
      names.insert(inner.inputs.begin(), inner.inputs.end());
      add_inner_reads(inner, names);
    }
    for (const ModelInput& output : attribute.graph->outputs) names.insert(output.name);
  }
}

// Nodes stand in an order that respects data flow: one walk from the last to the first finds all.
NameSet keep_needed(Model& model, const std::vector<std::string>& outputs) {
  NameSet needed(outputs.begin(), outputs.end());
  std::vector<ModelNode> kept;
  for (auto node = model.nodes.rbegin(); node != model.nodes.rend(); ++node) {
    const bool makes =
        std::any_of(node->outputs.begin(), node->outputs.end(),
                    [&](const auto& name) { return !name.empty() && needed.contains(name); });
    if (!makes) continue;
    needed.insert(node->inputs.begin(), node->inputs.end());
    add_inner_reads(*node, needed);
    kept.push_back(std::move(*node));
  }
  std::reverse(kept.begin(), kept.end());
  model.nodes = std::move(kept);
  return needed;
}

ModelInput declared_or_named(const Model& model, const std::string& name) {
  for (const auto* declared : {&model.outputs, &model.inputs}) {
    for (const ModelInput& one : *declared) {
      if (one.name == name) return one;
    }
  }
  ModelInput output;
  output.name = name;
  return output;
}

std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + quote(name);
  return text;
}

}  // namespace

std::set<std::string> value_names(const Model& model) {
  NameSet names;
  for (const ModelInput& input : model.inputs) names.insert(input.name);
  for (const NamedTensor& tensor : model.initializers) names.insert(tensor.name);
  for (const ModelNode& node : model.nodes) names.insert(node.outputs.begin(), node.outputs.end());
  names.erase("");  // what is left out
  return names;
}

void check_outputs(const std::vector<std::string>& outputs, const NameSet& values) {
  NameSet seen;
  for (const std::string& name : outputs) {
    if (!values.contains(name)) {
      const std::vector<std::string> all(values.begin(), values.end());
      throw WordError("--outputs names value " + quote(name) + ", which the model does not have" +
                          did_you_mean(name, all),
                      name, all);
    }
    if (!seen.insert(name).second) {
      throw InputError("--outputs names value " + quote(name) + " twice");
    }
  }
}

std::string cut(Model& model, const std::vector<std::string>& outputs) {
  check_outputs(outputs, value_names(model));
  LeftOut left_out;
  left_out.of = model.nodes.size();
  std::vector<ModelInput> declared;
  for (const std::string& name : outputs) declared.push_back(declared_or_named(model, name));
  model.outputs = std::move(declared);
  const NameSet needed = keep_needed(model, outputs);
  left_out.operators = left_out.of - model.nodes.size();
  std::erase_if(model.inputs, [&](const ModelInput& input) {
    if (needed.contains(input.name)) return false;
    left_out.inputs.push_back(input.name);
    return true;
  });
  std::erase_if(model.initializers,
                [&](const NamedTensor& tensor) { return !needed.contains(tensor.name); });
  std::erase_if(model.unread, [&](const std::string& name) {
    if (needed.contains(name)) return false;
    std::erase_if(model.obstacles, [&](const Obstacle& obstacle) {
      return obstacle.op == "initializer" && obstacle.node == printable(name);
    });
    return true;
  });
  return cut_note(outputs, left_out);
}

std::string cut_note(const std::vector<std::string>& outputs, const LeftOut& left_out) {
  std::string text = "--outputs " + quoted(outputs) + ": " + std::to_string(left_out.operators) +
                     " of " + std::to_string(left_out.of) + " operators";
  text += " are left out";
  if (!left_out.inputs.empty())
    text += ", and so is what they alone read: " + quoted(left_out.inputs);
  return text;
}

std::string cut_advice(const std::string& instead, const ModelNode& node) {
  if (!instead.starts_with("--outputs ")) return "";
  std::vector<std::string> names = node.inputs;
  std::erase(names, "");
  return " (the node reads " + quoted(names) + ")";
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

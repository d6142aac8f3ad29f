// The options of a node in words: what each costs, what was taken, and why not the others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/steps/decide/options.h"

namespace arenite::planner {

struct ExplainedOption {
  std::string name;                      // "Conv.float32", "Conv.vulkan"
  std::optional<assignment::Cost> cost;  // nothing: refused
  bool taken = false;
  std::string why;
};

struct ExplainedStep {
  std::string node;                      // "Conv_12+Relu_13"
  std::string op;                        // "conv"
  bool is_measured = false;              // costs are picoseconds; else the order of preference
  std::vector<ExplainedOption> options;  // empty: a view, which nothing computes
};

// Whether a name that a user gave means the node: its own, or one of those it stands for.
bool is_called(const Node& node, const std::string& name);

// The names of a graph's nodes.
std::vector<std::string> node_names(const Graph& graph);

// `step` was decided for the machine and form of `taken`, out of `all`.
ExplainedStep explain(const Node& node, const StepOptions& all, const StepOption& taken);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Goes from the first step to the last. Where all operands of a step are functions of one value of
// 8 bits, so is its result: the steps compute it for the 256 integers while planning.
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "planner/fixed_point/scaled.h"
#include "planner/graph/op_facts.h"
#include "planner/graph/rewrite.h"
#include "planner/graph/target_forms.h"
#include "planner/passes/integers/elementwise.h"
#include "planner/passes/integers/steps.h"

namespace arenite::planner::quantize {
namespace {

class Merge {
 public:
  explicit Merge(Graph& graph) : graph_(graph), uses_(find_uses(graph)) {}

  // Merges each node until nothing is left to merge with it: the value that a new table reads may
  // be the result of a table, too.
  void all() {
    for (uint32_t n = 0; n < graph_.nodes.size(); ++n) {
      while (merge(n)) {
      }
    }
    remove_nodes(graph_, uses_);
  }

 private:
  const Value& value(ValueId id) const { return graph_.values[id]; }

  // The operands that a run computes, where each element of node n's result follows from the same
  // elements of these operands and from constants; none otherwise.
  std::vector<ValueId> arguments(uint32_t n) const {
    const Node& node = graph_.nodes[n];
    const LayoutRule& rule = contract_of(node.op).layout;
    if (!facts_of(node.op).is_integer || rule.kind != LayoutClass::kElementwise) return {};
    std::vector<ValueId> found;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId id = node.inputs[i];
      if (id == kNoValue) return {};
      const bool is_spread = i < rule.operands;
      if (value(id).constant != nullptr) {
        if (is_spread && value(id).elements() != 1) return {};
      } else if (is_spread && always(value(id).dims == value(node.outputs[0]).dims)) {
        found.push_back(id);
      } else {
        return {};
      }
    }
    return found;
  }

  // The node that makes an argument of node n, if only n reads it and if all arguments of that node
  // are one value.
  std::optional<uint32_t> inner(uint32_t n, ValueId argument) const {
    const uint32_t from = uses_.producer[argument];
    const std::vector<ValueId>& inputs = graph_.nodes[n].inputs;
    const auto reads = std::count(inputs.begin(), inputs.end(), argument);
    if (from == kNoNode || reads != uses_.read_count[argument]) return std::nullopt;
    const std::vector<ValueId> values = arguments(from);
    const bool is_of_one =
        !values.empty() &&
        std::all_of(values.begin(), values.end(), [&](ValueId id) { return id == values[0]; });
    return is_of_one ? std::optional(from) : std::nullopt;
  }

  // Turns node n and its inner nodes into one table of the value that they are all functions of.
  // Returns false if there is no such value, or no inner node.
  bool merge(uint32_t n) {
    const std::vector<ValueId> read = arguments(n);
    std::set<uint32_t> nodes;
    ValueId x = kNoValue;
    for (const ValueId id : read) {
      const std::optional<uint32_t> from = inner(n, id);
      const ValueId argument = from ? arguments(*from)[0] : id;
      if (x != kNoValue && argument != x) return false;
      x = argument;
      if (from) nodes.insert(*from);
    }
    if (nodes.empty() || element_bytes(value(x).dtype) != 1) return false;
    nodes.insert(n);
    Node table = lookup(x, nodes);
    for (const uint32_t part : nodes) {
      for (const ValueId id : arguments(part)) --uses_.read_count[id];
      uses_.removed[part] = part != n;
    }
    ++uses_.read_count[x];
    graph_.nodes[n] = std::move(table);
    return true;
  }

  // The table that gives for x the result of the last of the nodes.
  Node lookup(ValueId x, const std::set<uint32_t>& nodes) {
    std::vector<std::byte> integers(kEntries);
    for (uint32_t i = 0; i < kEntries; ++i) {
      integers[i] = static_cast<std::byte>(range_of(value(x).dtype).low + static_cast<int32_t>(i));
    }
    Node node;
    node.op = Op::kLookup;
    node.outputs = graph_.nodes[*nodes.rbegin()].outputs;
    const ValueId y = node.outputs[0];
    node.inputs = {x,
                   add_constant(graph_, "table", value(y).dtype, {kEntries},
                                elementwise_results(graph_, {{x, integers}}, nodes, y, kEntries))};
    for (const uint32_t part : nodes) append_sources(node, graph_.nodes[part]);
    return node;
  }

  Graph& graph_;
  Uses uses_;
};

}  // namespace

void merge_lookups(Graph& graph) { Merge(graph).all(); }

}  // namespace arenite::planner::quantize
// SPDX-License-Identifier: Apache-2.0

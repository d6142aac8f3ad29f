// Looks up producers and readers of nodes that a pass replaces together.
#include "planner/graph/pattern.h"

#include <algorithm>
#include <utility>

#include "planner/graph/op_facts.h"
#include "planner/graph/target_forms.h"

namespace arenite::planner {
Patterns::Patterns(Graph& graph)
    : graph_(graph), uses_(find_uses(graph)), readers_(graph.values.size()) {
  for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
    for (const ValueId id : graph.nodes[n].inputs) {
      if (id != kNoValue) readers_[id].push_back(n);
    }
  }
}

uint32_t Patterns::made_by(ValueId id, Op op) const {
  if (id == kNoValue || value(id).dtype != DType::kFloat32) return kNoNode;
  const uint32_t n = uses_.producer[id];
  return n != kNoNode && node(n).op == op && !has_activation(node(n)) ? n : kNoNode;
}

const Node* Patterns::part(ValueId id, Op op, std::set<uint32_t>& parts) const {
  const uint32_t n = made_by(id, op);
  if (n == kNoNode) return nullptr;
  parts.insert(n);
  return &node(n);
}

uint32_t Patterns::sole_reader(ValueId id) const {
  uint32_t found = kNoNode, reads = 0;
  for (const uint32_t n : readers_[id]) {
    if (uses_.removed[n] || n == found) continue;
    const std::vector<ValueId>& inputs = node(n).inputs;
    const auto count = static_cast<uint32_t>(std::count(inputs.begin(), inputs.end(), id));
    if (count == 0) continue;
    if (found != kNoNode) return kNoNode;
    found = n;
    reads = count;
  }
  return reads == uses_.read_count[id] ? found : kNoNode;
}

std::optional<double> Patterns::number(ValueId id) const {
  if (id == kNoValue) return std::nullopt;
  const Value& constant = value(id);
  if (constant.constant == nullptr || constant.dtype != DType::kFloat32) return std::nullopt;
  const std::vector<float> elements = float_elements(constant);
  const bool same = !elements.empty() && std::all_of(elements.begin(), elements.end(),
                                                     [&](float e) { return e == elements[0]; });
  return same ? std::optional<double>(elements[0]) : std::nullopt;
}

ValueId Patterns::other_input(uint32_t node, ValueId x) const {
  const std::vector<ValueId>& inputs = this->node(node).inputs;
  return inputs[0] == x ? inputs[1] : inputs[0];
}

bool Patterns::is_closed(const std::set<uint32_t>& parts, uint32_t root) const {
  for (const uint32_t part : parts) {
    if (part == root) continue;
    for (const ValueId made : node(part).outputs) {
      if (made == kNoValue) continue;
      std::ptrdiff_t reads = 0;
      for (const uint32_t n : parts) {
        reads += std::count(node(n).inputs.begin(), node(n).inputs.end(), made);
      }
      if (reads != static_cast<std::ptrdiff_t>(uses_.read_count[made])) return false;
    }
  }
  return true;
}

void Patterns::replace(const std::set<uint32_t>& parts, uint32_t root, Node node) {
  node.outputs = graph_.nodes[root].outputs;
  for (const uint32_t part : parts) {
    append_sources(node, graph_.nodes[part]);
    for (const ValueId id : graph_.nodes[part].inputs) {
      if (id != kNoValue) --uses_.read_count[id];
    }
    uses_.removed[part] = part != root;
  }
  for (const ValueId id : node.inputs) {
    if (id == kNoValue) continue;
    ++uses_.read_count[id];
    readers_[id].push_back(root);
  }
  graph_.nodes[root] = std::move(node);
}

ValueId Patterns::recycle(uint32_t n, Node made, const Dims& dims) {
  const Value before = graph_.values[graph_.nodes[n].outputs[0]];
  const ValueId id = add_value(graph_, before.name, before.dtype, dims);
  uses_.producer.push_back(n);
  uses_.read_count.push_back(0);
  readers_.emplace_back();
  made.outputs = {id};
  append_sources(made, graph_.nodes[n]);
  for (const ValueId input : graph_.nodes[n].inputs) {
    if (input != kNoValue) --uses_.read_count[input];
  }
  for (const ValueId input : made.inputs) {
    ++uses_.read_count[input];
    readers_[input].push_back(n);
  }
  graph_.nodes[n] = std::move(made);
  return id;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

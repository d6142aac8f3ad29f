// Bookkeeping of producers and readers while passes rewrite a graph.
#include "planner/graph/rewrite.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "portable_fallback/shared/typed.h"

namespace arenite::planner {

Uses find_uses(const Graph& graph) {
  Uses uses;
  uses.producer.assign(graph.values.size(), kNoNode);
  uses.read_count.assign(graph.values.size(), 0);
  uses.removed.assign(graph.nodes.size(), false);
  for (uint32_t n = 0; n < graph.nodes.size(); ++n) {
    for (const ValueId id : graph.nodes[n].inputs) {
      if (id != kNoValue) ++uses.read_count[id];
    }
    for (const ValueId id : graph.nodes[n].outputs) {
      if (id != kNoValue) uses.producer[id] = n;
    }
  }
  for (const ValueId id : graph.outputs) ++uses.read_count[id];
  return uses;
}

Node* sole_producer(Graph& graph, const Uses& uses, ValueId id) {
  if (id == kNoValue || uses.producer[id] == kNoNode || uses.read_count[id] != 1) return nullptr;
  if (std::find(graph.outputs.begin(), graph.outputs.end(), id) != graph.outputs.end()) {
    return nullptr;
  }
  return &graph.nodes[uses.producer[id]];
}

void merge_into(Graph& graph, Uses& uses, Node& into, const Node& node) {
  const auto into_index = static_cast<uint32_t>(&into - graph.nodes.data());
  const auto node_index = static_cast<uint32_t>(&node - graph.nodes.data());
  into.outputs = node.outputs;
  append_sources(into, node);
  uses.producer[node.outputs[0]] = into_index;
  for (const ValueId id : node.inputs) {
    if (id != kNoValue) --uses.read_count[id];
  }
  uses.removed[node_index] = true;
}

void remove_nodes(Graph& graph, const Uses& uses) {
  std::vector<Node> kept;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (!uses.removed[n]) kept.push_back(std::move(graph.nodes[n]));
  }
  graph.nodes = std::move(kept);
}

void replace_nodes(Graph& graph, const std::vector<bool>& removed,
                   std::vector<std::vector<Node>> instead) {
  std::vector<Node> nodes;
  for (size_t n = 0; n < removed.size(); ++n) {
    if (!removed[n]) nodes.push_back(std::move(graph.nodes[n]));
    for (Node& node : instead[n]) nodes.push_back(std::move(node));
  }
  graph.nodes = std::move(nodes);
}

void drop_unread(Graph& graph, bool (*may_go)(const Node& node)) {
  Uses uses = find_uses(graph);
  for (size_t n = graph.nodes.size(); n-- > 0;) {
    const Node& node = graph.nodes[n];
    if (!may_go(node) || uses.read_count[node.outputs[0]] != 0) continue;
    uses.removed[n] = true;
    for (const ValueId id : node.inputs) {
      if (id != kNoValue) --uses.read_count[id];
    }
  }
  remove_nodes(graph, uses);
}

ValueId add_value(Graph& graph, const std::string& name, DType dtype, const Dims& dims) {
  const auto id = static_cast<ValueId>(graph.values.size());
  Value value;
  // Ids are unique, so the name is: no name of a model ends in this.
  value.name = name + "#" + std::to_string(id);
  value.dtype = dtype;
  value.dims = dims;
  graph.values.push_back(std::move(value));
  return id;
}

ValueId add_constant(Graph& graph, const std::string& name, DType dtype, const Dims& dims,
                     std::vector<std::byte> bytes) {
  const ValueId id = add_value(graph, name, dtype, dims);
  graph.values[id].constant = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return id;
}

ValueId add_constant(Graph& graph, Uses& uses, const std::string& name, const Dims& dims,
                     const std::vector<float>& elements) {
  std::vector<std::byte> bytes(elements.size() * sizeof(float));
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  const ValueId id = add_constant(graph, name, DType::kFloat32, dims, std::move(bytes));
  uses.producer.push_back(kNoNode);
  uses.read_count.push_back(1);
  return id;
}

std::vector<float> float_elements(const Value& value) {
  std::vector<float> elements(value.elements());
  for_number<types::kFloat>(value.dtype, [&]<typename T>() {
    T element = 0.0f;
    for (size_t i = 0; i < elements.size(); ++i) {
      std::memcpy(&element, value.constant->data() + i * sizeof(T), sizeof(T));
      elements[i] = element;
    }
  });
  return elements;
}

Dim elements_along(const Value& value, uint32_t axes) {
  Dim count = 1;
  for (size_t d = 0; d < value.dims.size(); ++d) {
    if ((axes >> d & 1u) != 0) count *= value.dims[d];
  }
  return count;
}

void append_sources(Node& into, const Node& from) {
  for (const std::string& source : from.sources) {
    if (std::find(into.sources.begin(), into.sources.end(), source) == into.sources.end()) {
      into.sources.push_back(source);
    }
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

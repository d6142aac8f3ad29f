// Questions of the passes about a graph: which node makes a value, which nodes read it.
#pragma once

#include <string>
#include <vector>

#include "planner/graph/graph.h"

namespace arenite::planner {

inline constexpr uint32_t kNoNode = 0xffffffffu;

// Kept up to date by the functions below while a pass runs.
struct Uses {
  std::vector<uint32_t> producer;    // node that makes each value, kNoNode for inputs and constants
  std::vector<uint32_t> read_count;  // operands of nodes and graph outputs that are the value
  std::vector<bool> removed;         // nodes to go
};

Uses find_uses(const Graph& graph);

// The node that makes `id`, where the value has one reader and is no output of the graph: then the
// reader may take its work over. Null otherwise.
Node* sole_producer(Graph& graph, const Uses& uses, ValueId id);

// `into` gets the single output of `node`, whose work it does now, and its sources; `node` goes.
void merge_into(Graph& graph, Uses& uses, Node& into, const Node& node);

// Drops the removed nodes.
void remove_nodes(Graph& graph, const Uses& uses);

// Drops the removed nodes, and puts nodes into the place of each.
void replace_nodes(Graph& graph, const std::vector<bool>& removed,
                   std::vector<std::vector<Node>> instead);

// Drops the nodes of one output that nothing reads, of those for which `may_go`; those that made
// their operands for them alone, too.
void drop_unread(Graph& graph, bool (*may_go)(const Node& node));

// Adds a value, named after another; no Uses knows of it yet.
ValueId add_value(Graph& graph, const std::string& name, DType dtype, const Dims& dims);

// The same of a constant, of row-major elements.
ValueId add_constant(Graph& graph, const std::string& name, DType dtype, const Dims& dims,
                     std::vector<std::byte> bytes);

// Adds a float32 constant named after another value.
ValueId add_constant(Graph& graph, Uses& uses, const std::string& name, const Dims& dims,
                     const std::vector<float>& elements);

// The elements of a constant of float32 or a 16-bit float.
std::vector<float> float_elements(const Value& value);

// The number of elements along axes, a bit each.
Dim elements_along(const Value& value, uint32_t axes);

void append_sources(Node& into, const Node& from);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

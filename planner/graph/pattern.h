// Several nodes that compute one thing together: who reads a value alone, what is a number, and
// putting one node in their place.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "planner/graph/rewrite.h"

namespace arenite::planner {

class Patterns {
 public:
  explicit Patterns(Graph& graph);

  // The node that makes `id`, where it is of `op`, of float32 and without an activation; kNoNode
  // otherwise.
  uint32_t made_by(ValueId id, Op op) const;
  // The same node, which becomes one of the parts; null where there is none.
  const Node* part(ValueId id, Op op, std::set<uint32_t>& parts) const;
  // The one node that reads `id`, which is no output of the graph; kNoNode otherwise.
  uint32_t sole_reader(ValueId id) const;
  // The number that all elements of a float32 constant are.
  std::optional<double> number(ValueId id) const;
  // The input of a node of two inputs that is not `x`.
  ValueId other_input(uint32_t node, ValueId x) const;
  // Whether nothing else reads what the parts make, but for `root`, which is one of them.
  bool is_closed(const std::set<uint32_t>& parts, uint32_t root) const;

  // `root` becomes `node`, which keeps its outputs and takes the parts' sources; they go.
  void replace(const std::set<uint32_t>& parts, uint32_t root, Node node);
  // Node n, a part, computes `made` from now on, as a value with these dims; it is no part any
  // more.
  ValueId recycle(uint32_t n, Node made, const Dims& dims);

  // Drops what was replaced.
  void finish() { remove_nodes(graph_, uses_); }

  Graph& graph() { return graph_; }
  const Node& node(uint32_t n) const { return graph_.nodes[n]; }
  const Value& value(ValueId id) const { return graph_.values[id]; }
  uint32_t producer(ValueId id) const { return uses_.producer[id]; }
  bool is_removed(uint32_t n) const { return uses_.removed[n]; }

 private:
  Graph& graph_;
  Uses uses_;
  std::vector<std::vector<uint32_t>> readers_;  // of each value, those removed among them
};

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

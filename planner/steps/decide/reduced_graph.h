// A working copy of an assignment problem from which nodes are eliminated without losing the
// optimum.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "planner/steps/decide/assignment.h"

namespace arenite::planner::assignment {

// Costs of pairs of options, [option of this node][option of the neighbour].
struct Matrix {
  size_t columns = 0;
  std::vector<Cost> costs;

  Cost at(size_t row, size_t column) const { return costs[row * columns + column]; }
};

class ReducedGraph {
 public:
  explicit ReducedGraph(const Problem& problem);

  // Eliminates nodes of at most two neighbours until there is none:
  //   R0: a node without neighbours takes its cheapest option.
  //   R1: the least cost of a node, by option of its one neighbour, is added to the neighbour.
  //   R2: the same for a pair of neighbours, added to the edge between them.
  void reduce();

  // A node that is left with most neighbours; nothing if none is left.
  std::optional<uint32_t> most_joined() const;
  size_t option_count(uint32_t node) const { return costs_[node].size(); }

  // The graph in which `node`, one that is left, takes the option.
  ReducedGraph with(uint32_t node, uint32_t option) const;

  // No choice costs less. It is the cost of the best one if no node is left.
  Cost lower_bound() const;
  // No node is left: the options of all nodes, eliminated ones last first.
  Choice choice() const;

  uint64_t work() const { return work_; }  // costs looked at so far

 private:
  struct Neighbour {
    uint32_t node = 0;
    Matrix costs;
  };
  struct Eliminated {
    uint32_t node = 0;
    std::vector<Cost> costs;
    std::vector<Neighbour> neighbours;
  };

  void add_edge(uint32_t a, uint32_t b, const Matrix& costs);
  void note_degree(uint32_t node);
  void eliminate(uint32_t node);

  std::vector<std::vector<Cost>> costs_;  // by node
  std::vector<std::map<uint32_t, Matrix>> neighbours_;
  std::vector<bool> is_left_;
  std::vector<uint32_t> low_;  // nodes that may have at most two neighbours
  std::vector<Eliminated> eliminated_;
  Cost base_ = 0;  // of the nodes that are gone
  uint64_t work_ = 0;
};

}  // namespace arenite::planner::assignment
// SPDX-License-Identifier: Apache-2.0

// Chooses one option for each node of a graph so that the sum of node and edge costs is least.
//
// The problem is the partitioned boolean quadratic problem (PBQP): Scholz and Eckstein, "Register
// allocation for irregular architectures", LCTES 2002; for the primitives of a neural network:
// Anderson and Gregg, "Optimal DNN primitive selection with partitioned boolean quadratic
// programming", CGO 2018.
//
//   node a: options 0, 1        edge (a, b), a cost for each pair:      b = 0   b = 1
//                                                               a = 0     0       9
//   node b: options 0, 1                                        a = 1     9       0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace arenite::planner::assignment {

// In any unit. Sums saturate: a sum with kImpossible in it is kImpossible.
using Cost = uint64_t;
inline constexpr Cost kImpossible = UINT64_MAX;

constexpr Cost sum(Cost a, Cost b) { return a > kImpossible - b ? kImpossible : a + b; }

struct Edge {
  uint32_t a = 0, b = 0;    // nodes, not the same one
  std::vector<Cost> costs;  // [option of a][option of b]
};

struct Problem {
  std::vector<std::vector<Cost>> nodes;  // of each option; a node has at least one
  std::vector<Edge> edges;               // several may join the same two nodes
};

using Choice = std::vector<uint32_t>;  // an option of each node

struct Solution {
  Choice choice;
  Cost cost = kImpossible;
  bool is_proven = false;  // no choice costs less
  uint64_t work = 0;       // costs that the search looked at
};

Cost cost_of(const Problem& problem, const Choice& choice);

// Tries every choice: an oracle for tests. Of equal ones it returns the first in lexical order.
Solution solve_by_enumeration(const Problem& problem);

// Costs that `solve` looks at in its search, as a limit that is the same on every machine.
inline constexpr uint64_t kWorkMax = uint64_t{1} << 24;

// Never returns what costs more than `start`, and returns `start` itself if nothing costs less.
// 1. Nodes of at most two neighbours are eliminated, which is exact (reductions R0, R1 and R2).
// 2. What remains is searched by branch and bound: the node of most neighbours is given each option
//    in turn, and step 1 applies again.
// 3. If that passes `work_max`, the best choice found and `start` are each improved node by node
//    (coordinate descent).
Solution solve(const Problem& problem, const Choice& start, uint64_t work_max = kWorkMax);

}  // namespace arenite::planner::assignment
// SPDX-License-Identifier: Apache-2.0

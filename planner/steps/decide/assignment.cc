// Eliminates what it can, branches on what is left, and falls back to descent at the work limit.
#include "planner/steps/decide/assignment.h"

#include <algorithm>
#include <utility>

#include "core/assert.h"
#include "planner/steps/decide/reduced_graph.h"

namespace arenite::planner::assignment {
namespace {

// Searches depth first for a choice below a cost that is known.
class BranchAndBound {
 public:
  BranchAndBound(Solution known, uint64_t work_max) : best_(std::move(known)), work_max_(work_max) {
    best_.is_proven = true;
  }

  Solution run(ReducedGraph graph) {
    visit(std::move(graph));
    return std::move(best_);
  }

 private:
  void visit(ReducedGraph graph) {
    graph.reduce();
    best_.work += graph.work();
    const Cost bound = graph.lower_bound();
    if (bound >= best_.cost) return;
    const std::optional<uint32_t> node = graph.most_joined();
    if (!node) {
      best_.cost = bound;
      best_.choice = graph.choice();
      return;
    }
    if (best_.work > work_max_) {
      best_.is_proven = false;
      return;
    }
    // The most promising option first: what it finds bounds the others.
    std::vector<std::pair<Cost, uint32_t>> options;
    for (uint32_t k = 0; k < graph.option_count(*node); ++k) {
      const ReducedGraph taken = graph.with(*node, k);
      best_.work += taken.work();
      options.emplace_back(taken.lower_bound(), k);
    }
    std::sort(options.begin(), options.end());
    for (const auto& [least, option] : options) {
      if (least < best_.cost) visit(graph.with(*node, option));
    }
  }

  Solution best_;
  const uint64_t work_max_;
};

// Gives each node its cheapest option in turn, as long as that lowers the sum. Each round costs one
// look at every edge, and the rounds are limited.
Choice improved(const Problem& problem, Choice choice) {
  constexpr uint32_t kRoundsMax = 64;
  std::vector<std::vector<const Edge*>> edges(problem.nodes.size());
  for (const Edge& edge : problem.edges) {
    edges[edge.a].push_back(&edge);
    edges[edge.b].push_back(&edge);
  }
  const auto cost_with = [&](uint32_t node, uint32_t option) {
    Cost cost = problem.nodes[node][option];
    for (const Edge* edge : edges[node]) {
      const uint32_t a = edge->a == node ? option : choice[edge->a];
      const uint32_t b = edge->b == node ? option : choice[edge->b];
      cost = sum(cost, edge->costs[a * problem.nodes[edge->b].size() + b]);
    }
    return cost;
  };
  bool changed = true;
  for (uint32_t round = 0; changed && round < kRoundsMax; ++round) {
    changed = false;
    for (uint32_t node = 0; node < choice.size(); ++node) {
      Cost best = cost_with(node, choice[node]);
      for (uint32_t k = 0; k < problem.nodes[node].size(); ++k) {
        const Cost cost = cost_with(node, k);
        if (cost >= best) continue;
        best = cost;
        choice[node] = k;
        changed = true;
      }
    }
  }
  return choice;
}

}  // namespace

Cost cost_of(const Problem& problem, const Choice& choice) {
  ARENITE_ASSERT(choice.size() == problem.nodes.size());
  Cost cost = 0;
  for (size_t n = 0; n < choice.size(); ++n) cost = sum(cost, problem.nodes[n][choice[n]]);
  for (const Edge& edge : problem.edges) {
    const size_t columns = problem.nodes[edge.b].size();
    cost = sum(cost, edge.costs[choice[edge.a] * columns + choice[edge.b]]);
  }
  return cost;
}

Solution solve_by_enumeration(const Problem& problem) {
  Choice choice(problem.nodes.size());
  Solution best{choice, cost_of(problem, choice), true, 1};
  while (true) {
    // Counts up, the last node fastest.
    size_t n = choice.size();
    while (n > 0 && ++choice[n - 1] == problem.nodes[n - 1].size()) choice[--n] = 0;
    if (n == 0) return best;
    ++best.work;
    const Cost cost = cost_of(problem, choice);
    if (cost >= best.cost) continue;
    best.cost = cost;
    best.choice = choice;
  }
}

Solution solve(const Problem& problem, const Choice& start, uint64_t work_max) {
  const Solution known{start, cost_of(problem, start), false, 0};
  Solution best = BranchAndBound(known, work_max).run(ReducedGraph(problem));
  if (best.is_proven) return best;
  for (const Choice& from : {best.choice, start}) {
    Choice choice = improved(problem, from);
    const Cost cost = cost_of(problem, choice);
    if (cost >= best.cost) continue;
    best.cost = cost;
    best.choice = std::move(choice);
  }
  return best;
}

}  // namespace arenite::planner::assignment
// SPDX-License-Identifier: Apache-2.0

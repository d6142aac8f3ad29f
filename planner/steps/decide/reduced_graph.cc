// Keeps each edge in both directions, and what back-substitution needs of each node eliminated.
#include "planner/steps/decide/reduced_graph.h"

#include <algorithm>

#include "core/assert.h"

namespace arenite::planner::assignment {
namespace {

Matrix transposed(const Matrix& matrix, size_t rows) {
  Matrix result{rows, std::vector<Cost>(matrix.costs.size())};
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < matrix.columns; ++c) result.costs[c * rows + r] = matrix.at(r, c);
  }
  return result;
}

Cost least(const std::vector<Cost>& costs) { return *std::min_element(costs.begin(), costs.end()); }

}  // namespace

ReducedGraph::ReducedGraph(const Problem& problem)
    : costs_(problem.nodes),
      neighbours_(problem.nodes.size()),
      is_left_(problem.nodes.size(), true) {
  for (const std::vector<Cost>& costs : costs_) ARENITE_ASSERT(!costs.empty());
  for (const Edge& edge : problem.edges) {
    ARENITE_ASSERT(edge.a != edge.b);
    ARENITE_ASSERT(edge.costs.size() == costs_[edge.a].size() * costs_[edge.b].size());
    add_edge(edge.a, edge.b, {costs_[edge.b].size(), edge.costs});
  }
  // The last first, as they are taken from the end.
  for (auto node = static_cast<uint32_t>(costs_.size()); node-- > 0;) note_degree(node);
}

void ReducedGraph::add_edge(uint32_t a, uint32_t b, const Matrix& costs) {
  const auto add = [&](uint32_t from, uint32_t to, const Matrix& more) {
    const auto [found, is_new] = neighbours_[from].try_emplace(to, more);
    if (is_new) return;
    std::vector<Cost>& sums = found->second.costs;
    for (size_t i = 0; i < sums.size(); ++i) sums[i] = sum(sums[i], more.costs[i]);
  };
  add(a, b, costs);
  add(b, a, transposed(costs, costs_[a].size()));
  work_ += costs.costs.size();
}

void ReducedGraph::note_degree(uint32_t node) {
  if (neighbours_[node].size() <= 2) low_.push_back(node);
}

void ReducedGraph::reduce() {
  while (!low_.empty()) {
    const uint32_t node = low_.back();
    low_.pop_back();
    if (is_left_[node]) eliminate(node);
  }
}

void ReducedGraph::eliminate(uint32_t node) {
  Eliminated gone{node, std::move(costs_[node]), {}};
  is_left_[node] = false;
  for (auto& [other, costs] : neighbours_[node]) {
    neighbours_[other].erase(node);
    gone.neighbours.push_back({other, std::move(costs)});
  }
  neighbours_[node].clear();
  ARENITE_ASSERT(gone.neighbours.size() <= 2);
  // The node's least cost with its first neighbour's option i, and option j of the second.
  const auto least_with = [&](size_t i, const Matrix* second, size_t j) {
    Cost result = kImpossible;
    for (size_t k = 0; k < gone.costs.size(); ++k) {
      Cost cost = sum(gone.costs[k], gone.neighbours[0].costs.at(k, i));
      if (second != nullptr) cost = sum(cost, second->at(k, j));
      result = std::min(result, cost);
    }
    work_ += gone.costs.size();
    return result;
  };
  if (gone.neighbours.empty()) {
    base_ = sum(base_, least(gone.costs));
  } else if (gone.neighbours.size() == 1) {
    std::vector<Cost>& costs = costs_[gone.neighbours[0].node];
    for (size_t i = 0; i < costs.size(); ++i) {
      costs[i] = sum(costs[i], least_with(i, nullptr, 0));
    }
  } else {
    const uint32_t a = gone.neighbours[0].node, b = gone.neighbours[1].node;
    Matrix costs{costs_[b].size(), {}};
    for (size_t i = 0; i < costs_[a].size(); ++i) {
      for (size_t j = 0; j < costs_[b].size(); ++j) {
        costs.costs.push_back(least_with(i, &gone.neighbours[1].costs, j));
      }
    }
    add_edge(a, b, costs);
  }
  for (const Neighbour& neighbour : gone.neighbours) note_degree(neighbour.node);
  eliminated_.push_back(std::move(gone));
}

std::optional<uint32_t> ReducedGraph::most_joined() const {
  std::optional<uint32_t> found;
  for (uint32_t node = 0; node < costs_.size(); ++node) {
    if (!is_left_[node]) continue;
    if (!found || neighbours_[node].size() > neighbours_[*found].size()) found = node;
  }
  return found;
}

ReducedGraph ReducedGraph::with(uint32_t node, uint32_t option) const {
  ReducedGraph result = *this;
  result.work_ = costs_.size() + eliminated_.size();  // the copy takes its time, too
  for (const auto& [other, matrix] : neighbours_[node]) {
    std::vector<Cost>& costs = result.costs_[other];
    for (size_t i = 0; i < costs.size(); ++i) costs[i] = sum(costs[i], matrix.at(option, i));
    result.work_ += costs.size();
    result.neighbours_[other].erase(node);
    result.note_degree(other);
  }
  result.neighbours_[node].clear();
  result.is_left_[node] = false;
  result.base_ = sum(result.base_, costs_[node][option]);
  // Back-substitution finds the option again: it is the only one that is possible.
  std::vector<Cost> only(costs_[node].size(), kImpossible);
  only[option] = 0;
  result.eliminated_.push_back({node, std::move(only), {}});
  return result;
}

Cost ReducedGraph::lower_bound() const {
  Cost bound = base_;
  for (uint32_t node = 0; node < costs_.size(); ++node) {
    if (!is_left_[node]) continue;
    bound = sum(bound, least(costs_[node]));
    for (const auto& [other, matrix] : neighbours_[node]) {
      if (other > node) bound = sum(bound, least(matrix.costs));
    }
  }
  return bound;
}

Choice ReducedGraph::choice() const {
  Choice choice(costs_.size());
  for (auto gone = eliminated_.rbegin(); gone != eliminated_.rend(); ++gone) {
    Cost best = kImpossible;
    for (uint32_t k = 0; k < gone->costs.size(); ++k) {
      Cost cost = gone->costs[k];
      for (const Neighbour& neighbour : gone->neighbours) {
        cost = sum(cost, neighbour.costs.at(k, choice[neighbour.node]));
      }
      if (cost >= best) continue;
      best = cost;
      choice[gone->node] = k;
    }
  }
  return choice;
}

}  // namespace arenite::planner::assignment
// SPDX-License-Identifier: Apache-2.0

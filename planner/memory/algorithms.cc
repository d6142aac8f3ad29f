// Runs a planning algorithm by name: validate, place the rigid items, resolve the buffers tied to
// them.
#include "planner/memory/algorithms.h"

#include <array>

#include "planner/memory/place_search.h"
#include "planner/memory/placers.h"

namespace arenite::memory {
namespace {

// In the order of the enum.
constexpr std::array<std::string_view, 5> kNames = {"naive", "greedy_first_fit", "greedy_by_size",
                                                    "portfolio", "search"};

ItemPlan place_portfolio(const Problem& problem, std::span<const Item> items, PackLimits limits) {
  limits.portfolio_only = true;
  return place_search(problem, items, {.assign_work_max = 0, .pack = limits});
}

ItemPlan place(Algorithm algorithm, const Problem& problem, std::span<const Item> items,
               const PackLimits& limits) {
  switch (algorithm) {
    case Algorithm::kNaive:
      return place_naive(problem, items);
    case Algorithm::kGreedyFirstFit:
      return place_greedy_first_fit(problem, items, limits.watch);
    case Algorithm::kGreedyBySize:
      return place_greedy_by_size(problem, items, limits.watch);
    case Algorithm::kPortfolio:
      return place_portfolio(problem, items, limits);
    case Algorithm::kSearch:
      return place_search(problem, items, {.pack = limits});
  }
  throw InputError("unknown memory planning algorithm " +
                   std::to_string(static_cast<int>(algorithm)));
}

// Every buffer at its root's offset plus its distance from the root: a relative buffer cannot stay
// unresolved, as each has exactly one root and each root was placed.
Solution resolve(std::span<const Anchor> anchors, std::span<const Item> items,
                 const ItemPlan& plan) {
  Solution solution{std::vector<Placement>(anchors.size()), plan.lower_bound};
  for (std::size_t i = 0; i < items.size(); ++i) {
    solution.placements[items[i].root] = plan.placements[i];
  }
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    const Placement root = solution.placements[anchors[i].root];
    if (anchors[i].root != i) {
      solution.placements[i] = {root.memory, root.offset + anchors[i].offset_bytes};
    }
  }
  return solution;
}

}  // namespace

std::optional<Algorithm> find_algorithm(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Algorithm>(i);
  }
  return std::nullopt;
}

std::string_view name_of(Algorithm algorithm) {
  return kNames.at(static_cast<std::size_t>(algorithm));
}

std::span<const std::string_view> algorithm_names() { return kNames; }

Outcome plan(Algorithm algorithm, const Problem& problem, const PackLimits& limits) {
  validate(problem);
  const std::vector<Anchor> anchors = find_anchors(problem.buffers);
  const std::vector<Item> items = make_items(problem, anchors);
  const ItemPlan item_plan = place(algorithm, problem, items, limits);
  Solution solution = resolve(anchors, items, item_plan);
  if (item_plan.first_unplaced) {
    return explain_overflow(problem, solution, items[*item_plan.first_unplaced].root);
  }
  return solution;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

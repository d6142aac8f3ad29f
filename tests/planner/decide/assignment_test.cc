// The solver of assignment problems against enumeration, its limits, and choices that are
// impossible.
#include "planner/steps/decide/assignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace arenite::planner::assignment {
namespace {

using testing::ElementsAre;

struct Shape {
  uint32_t nodes_max = 12, options_max = 4;
  uint64_t choices_max = 10'000;
  double density = 0.3;    // share of pairs that an edge joins
  uint32_t cost_max = 20;  // small: there are many equal sums
};

Problem random_problem(std::mt19937& random, const Shape& shape) {
  const auto below = [&](uint32_t end) { return static_cast<uint32_t>(random() % end); };
  const auto cost = [&] { return below(30) == 0 ? kImpossible : Cost{below(shape.cost_max)}; };
  Problem problem;
  uint64_t choices = 1;
  const uint32_t nodes = 1 + below(shape.nodes_max);
  for (uint32_t n = 0; n < nodes; ++n) {
    uint32_t options = 1 + below(shape.options_max);
    if (choices * options > shape.choices_max) options = 1;
    choices *= options;
    problem.nodes.emplace_back();
    for (uint32_t k = 0; k < options; ++k) problem.nodes.back().push_back(cost());
  }
  for (uint32_t a = 0; a < nodes; ++a) {
    for (uint32_t b = 0; b < nodes; ++b) {
      // Both directions: some nodes are joined twice.
      if (a == b || below(1000) >= 1000 * shape.density) continue;
      Edge edge{a, b, {}};
      for (size_t i = 0; i < problem.nodes[a].size() * problem.nodes[b].size(); ++i) {
        edge.costs.push_back(cost());
      }
      problem.edges.push_back(std::move(edge));
    }
  }
  return problem;
}

Choice first_options(const Problem& problem) { return Choice(problem.nodes.size()); }

TEST(Assignment, EqualsEnumerationOnRandomGraphs) {
  std::mt19937 random(22);
  for (uint32_t i = 0; i < 1000; ++i) {
    Shape shape;
    shape.density = 0.05 + 0.1 * (i % 8);   // from trees to graphs in which all nodes are joined
    if (i % 2 == 1) shape.options_max = 2;  // of many nodes
    const Problem problem = random_problem(random, shape);
    const Solution expected = solve_by_enumeration(problem);
    const Solution found = solve(problem, first_options(problem));
    ASSERT_EQ(found.cost, expected.cost) << "graph " << i;
    ASSERT_EQ(cost_of(problem, found.choice), found.cost) << "graph " << i;
    ASSERT_TRUE(found.is_proven) << "graph " << i;
  }
}

TEST(Assignment, NeverCostsMoreThanTheStartAtAnyLimit) {
  std::mt19937 random(1);
  const Shape shape{60, 4, UINT64_MAX / 4, 0.4, 1000};
  for (uint32_t i = 0; i < 12; ++i) {
    const Problem problem = random_problem(random, shape);
    Choice start = first_options(problem);
    for (size_t n = 0; n < start.size(); ++n) {
      start[n] = static_cast<uint32_t>(random() % problem.nodes[n].size());
    }
    const Cost before = cost_of(problem, start);
    for (const uint64_t work_max : {0u, 1000u, 100'000u}) {
      const Solution found = solve(problem, start, work_max);
      ASSERT_LE(found.cost, before);
      ASSERT_EQ(cost_of(problem, found.choice), found.cost);
    }
  }
}

TEST(Assignment, KeepsTheStartWhereNothingCostsLess) {
  const Problem problem{{{1, 1}, {2, 2}}, {{0, 1, {0, 0, 0, 0}}}};
  EXPECT_THAT(solve(problem, {1, 0}).choice, ElementsAre(1, 0));
  EXPECT_THAT(solve(problem, {0, 1}).choice, ElementsAre(0, 1));
}

// A chain whose ends want different options: the change lies where it costs least.
TEST(Assignment, ChangesWhereATransitionCostsLeast) {
  const std::vector<Cost> dear{0, 9, 9, 0}, cheap{0, 2, 2, 0};
  const Problem problem{{{0, 100}, {5, 5}, {5, 5}, {100, 0}},
                        {{0, 1, dear}, {1, 2, cheap}, {2, 3, dear}}};
  const Solution found = solve(problem, {0, 0, 0, 0});
  EXPECT_THAT(found.choice, ElementsAre(0, 0, 1, 1));
  EXPECT_EQ(found.cost, 12u);
}

// Eliminating takes work that rises with the length of a chain, not with its choices.
TEST(Assignment, ProvesLongChainsAndLadders) {
  Problem problem;
  std::mt19937 random(7);
  constexpr uint32_t kLength = 2000;
  for (uint32_t n = 0; n < kLength; ++n) {
    problem.nodes.push_back({random() % 9, random() % 9, random() % 9});
    for (const uint32_t back : {1u, 2u}) {
      if (n < back) continue;
      Edge edge{n - back, n, {}};
      for (uint32_t i = 0; i < 9; ++i) edge.costs.push_back(random() % 9);
      problem.edges.push_back(std::move(edge));
    }
  }
  const Solution found = solve(problem, first_options(problem));
  EXPECT_TRUE(found.is_proven);
  EXPECT_LT(found.work, 200 * kLength);
}

TEST(Assignment, SumsWithTheImpossibleStayImpossible) {
  EXPECT_EQ(sum(kImpossible, 1), kImpossible);
  EXPECT_EQ(sum(kImpossible - 1, 1), kImpossible);
  const Problem problem{{{kImpossible, kImpossible}}, {}};
  EXPECT_EQ(solve(problem, {1}).cost, kImpossible);
  EXPECT_THAT(solve(problem, {1}).choice, ElementsAre(1));
}

TEST(Assignment, TakesAProblemWithoutNodes) {
  EXPECT_EQ(solve({}, {}).cost, 0u);
  EXPECT_EQ(solve_by_enumeration({}).cost, 0u);
}

}  // namespace
}  // namespace arenite::planner::assignment
// SPDX-License-Identifier: Apache-2.0

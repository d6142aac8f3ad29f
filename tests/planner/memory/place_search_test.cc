// Placing in several memories: never more traffic than greedy, and the least where it is known.
#include "planner/memory/assign/place_search.h"

#include <gtest/gtest.h>

#include "planner/memory/assign/assign.h"
#include "planner/memory/problem/verify.h"
#include "tests/planner/memory/build.h"
#include "tests/planner/memory/generators.h"
#include "tests/planner/memory/random_problem.h"

namespace arenite::memory {
namespace {

constexpr PackLimits kLimits = {.work_max = 20'000};

TEST(PlaceSearch, NeverCostsMoreThanGreedyNorLessThanTheBound) {
  uint32_t cheaper = 0;
  uint32_t proved = 0;
  uint32_t fitting = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem problem = random_problem(seed);
    if (problem.memories.size() == 1) continue;
    const Outcome outcome = plan(Algorithm::kSearch, problem, kLimits);
    const Outcome greedy = plan(Algorithm::kGreedyBySize, problem);
    const auto* solution = std::get_if<Solution>(&outcome);
    const auto* other = std::get_if<Solution>(&greedy);
    ASSERT_TRUE(other == nullptr || solution != nullptr);
    if (solution == nullptr) continue;
    ++fitting;
    const double cost = traffic_cost(problem, *solution);
    const double bound = traffic_bound(problem);
    ASSERT_GE(cost, bound * (1 - 1e-8) - 1e-6);
    if (cost <= bound * (1 + 1e-8)) ++proved;
    if (other == nullptr) continue;
    const double known = traffic_cost(problem, *other);
    ASSERT_LE(cost, known * (1 + 1e-8));
    if (cost < known * (1 - 1e-8)) ++cheaper;
  }
  EXPECT_GT(cheaper, 20u);
  EXPECT_GT(proved, fitting / 2);
}

TEST(PlaceSearch, FillsTheFirstMemoryWhereThatIsKnownToBeBest) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    Known known = full_memories(seed, 2, {8, 10, 50});
    known.problem.memories[1].size_bytes = kUnbounded;
    const Outcome outcome = plan(Algorithm::kSearch, known.problem);
    const auto& solution = std::get<Solution>(outcome);
    ASSERT_FALSE(verify(known.problem, solution));
    ASSERT_NEAR(traffic_cost(known.problem, solution), static_cast<double>(*known.traffic), 1e-6)
        << seed;
    ASSERT_NEAR(traffic_bound(known.problem), static_cast<double>(*known.traffic), 1e-3) << seed;
  }
}

TEST(PlaceSearch, CountsWhatIsReadRatherThanWhatIsLarge) {
  // Greedy by size gives the fast memory to the large buffer that is hardly used.
  Problem problem = problem_of({{.name = "fast", .size_bytes = 100}, {.name = "slow"}},
                               {buffer(100, 0, 3), buffer(60, 0, 3), buffer(40, 0, 3)});
  problem.buffers[0].reads = 1;
  problem.buffers[1].reads = 5;
  problem.buffers[2].reads = 5;
  EXPECT_EQ(memories(solved(Algorithm::kGreedyBySize, problem)), (std::vector<uint32_t>{0, 1, 1}));
  EXPECT_EQ(memories(solved(Algorithm::kSearch, problem)), (std::vector<uint32_t>{1, 0, 0}));
  problem.memories[1].read_cost = 0.5;  // the order of the memories is not what counts then
  EXPECT_EQ(memories(solved(Algorithm::kSearch, problem)), (std::vector<uint32_t>{1, 1, 1}));
}

TEST(PlaceSearch, CutsWhatFitsByBytesButDoesNotPack) {
  // Never more than 3 of 4 bytes live, yet a and c, one byte apart from their ends, leave b no two
  // bytes in a row: one buffer has to go, the cheapest that helps.
  Problem problem = problem_of({{.name = "fast", .size_bytes = 4}, {.name = "slow"}}, {});
  Buffer low = buffer(1, 0, 5);
  low.fixed = Placement{0, 1};
  low.reads = 1;
  Buffer wide = buffer(3, 2, 3);
  wide.reads = 2;
  problem.buffers = {low, wide};
  const Solution solution = solved(Algorithm::kSearch, problem);
  EXPECT_FALSE(verify(problem, solution));
  EXPECT_EQ(memories(solution), (std::vector<uint32_t>{0, 1}));
}

TEST(PlaceSearch, SharesBytesWhereThatKeepsABufferInFastMemory) {
  Problem problem = problem_of({{.name = "fast", .size_bytes = 110}, {.name = "slow"}},
                               {buffer(100, 0, 1), buffer(60, 1, 2)});
  problem.buffers[0].reads = problem.buffers[1].writes = 1;
  problem.overlaps = {{0, 1, 10}};
  const Solution solution = solved(Algorithm::kSearch, problem);
  EXPECT_FALSE(verify(problem, solution));
  EXPECT_EQ(memories(solution), (std::vector<uint32_t>{0, 0}));
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

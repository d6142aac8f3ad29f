// The naive algorithm, names of algorithms, and what holds for every algorithm.
#include "planner/memory/plan.h"

#include <gtest/gtest.h>

#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

using Offsets = std::vector<uint64_t>;

TEST(Algorithms, FoundByNameAndNamedBack) {
  for (const std::string_view name : algorithm_names()) {
    const std::optional<Algorithm> algorithm = find_algorithm(name);
    ASSERT_TRUE(algorithm) << name;
    EXPECT_EQ(name_of(*algorithm), name);
  }
  EXPECT_EQ(find_algorithm("search"), kDefaultAlgorithm);
  EXPECT_EQ(find_algorithm("naive"), Algorithm::kNaive);
  EXPECT_FALSE(find_algorithm("greedy"));
  EXPECT_FALSE(find_algorithm(""));
}

TEST(Naive, NeverReusesAByte) {
  // In the order given, aligned to 8, although no two are ever alive together.
  EXPECT_EQ(offsets(solved(
                Algorithm::kNaive,
                problem_of(unbounded(8), {buffer(10, 0, 0), buffer(20, 1, 1), buffer(5, 2, 2)}))),
            (Offsets{0, 16, 40}));
}

TEST(Naive, TakesTheFirstMemoryWithRoom) {
  // fast (30): a 0-20; b (15) would end at 35, so slow; c (10) ends fast at 30; d goes after b.
  const std::vector<Memory> two = {{.name = "fast", .size_bytes = 30}, {.name = "slow"}};
  const Solution solution = solved(
      Algorithm::kNaive,
      problem_of(two, {buffer(20, 0, 0), buffer(15, 1, 1), buffer(10, 2, 2), buffer(1, 3, 3)}));
  EXPECT_EQ(memories(solution), (std::vector<uint32_t>{0, 1, 0, 1}));
  EXPECT_EQ(offsets(solution), (Offsets{0, 0, 20, 15}));
}

TEST(Naive, StepsOverFixedBuffersAndResolvesViews) {
  // b is fixed at 8-16: a (8) fits below, c (4) goes above. d is a view of c, 2 bytes in.
  Problem problem =
      problem_of(unbounded(), {buffer(8, 0, 0), buffer(8, 0, 0), buffer(4, 1, 1), buffer(2, 1, 1)});
  problem.buffers[1].fixed = Placement{0, 8};
  problem.buffers[3].relative = Relative{2, 2};
  EXPECT_EQ(offsets(solved(Algorithm::kNaive, problem)), (Offsets{0, 8, 16, 18}));
}

TEST(Algorithms, NothingToPlaceIsAPlan) {
  for (const std::string_view name : algorithm_names()) {
    EXPECT_TRUE(solved(*find_algorithm(name), problem_of(unbounded(), {})).placements.empty());
  }
}

TEST(Algorithms, RefuseAProblemThatContradictsItself) {
  for (const std::string_view name : algorithm_names()) {
    const Algorithm algorithm = *find_algorithm(name);
    EXPECT_NE(input_error([&] { plan(algorithm, problem_of({}, {})); }), "");
  }
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

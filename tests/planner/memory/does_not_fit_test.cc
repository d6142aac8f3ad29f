// A plan that does not fit says which memory, by how much, and what is live there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

using testing::HasSubstr;
using testing::Not;

DoesNotFit failure(const Problem& problem, Algorithm algorithm = Algorithm::kGreedyBySize) {
  return std::get<DoesNotFit>(plan(algorithm, problem));
}

std::vector<Memory> of_bytes(uint64_t size_bytes) {
  return {{.name = "dtcm", .size_bytes = size_bytes}};
}

TEST(DoesNotFit, LiveSetLargerThanTheMemory) {
  // At step 1 60 + 50 + 20 = 130 bytes are live in 100: 30 short, whatever the plan.
  const DoesNotFit error =
      failure(problem_of(of_bytes(100), {buffer(60, 0, 1), buffer(50, 1, 2), buffer(20, 1, 1)}));
  EXPECT_EQ(error.memory_name, "dtcm");
  EXPECT_EQ(error.memory_bytes, 100u);
  EXPECT_EQ(error.needed_bytes, 130u);
  EXPECT_EQ(error.short_bytes, 30u);
  EXPECT_EQ(error.first_unplaced.name, "b");  // after a (0-60), b would end at 110
  EXPECT_EQ(error.step, 1u);
  EXPECT_EQ(error.live_bytes, 130u);
  EXPECT_TRUE(error.proven);
  ASSERT_EQ(error.live.size(), 3u);
  EXPECT_EQ(error.live[0].name, "a");
  EXPECT_EQ(error.live[2].size_bytes, 20u);
  EXPECT_EQ(message(error),
            "memory 'dtcm' of 100 bytes is 30 bytes short: the plan needs 130; the first buffer "
            "without room is 'b' of 50 bytes. At step 1, 130 bytes are live there, so no plan can "
            "fit: 'a' 60, 'b' 50, 'c' 20.");
}

TEST(DoesNotFit, PackingAloneIsNotAProof) {
  // Never more than 100 bytes live, but naive stacks all three: 180.
  const DoesNotFit error =
      failure(problem_of(of_bytes(100), {buffer(60, 0, 0), buffer(60, 1, 1), buffer(60, 2, 2)}),
              Algorithm::kNaive);
  EXPECT_EQ(error.short_bytes, 80u);
  EXPECT_FALSE(error.proven);
  EXPECT_EQ(error.first_unplaced.name, "b");
  // The worst step is one of the topmost buffer's, as no step has too many live bytes.
  EXPECT_EQ(error.step, 2u);
  EXPECT_THAT(message(error), HasSubstr("At step 2, 60 bytes are live there: 'c' 60."));
}

TEST(DoesNotFit, NamesTheMemoryOvershotLeast) {
  // b ends at 120 in both: 20 past fast, 10 past slow. What could also be in the other memory
  // proves nothing.
  const std::vector<Memory> two = {{.name = "fast", .size_bytes = 100},
                                   {.name = "slow", .size_bytes = 110}};
  Problem problem = problem_of(two, {buffer(120, 0, 0)});
  DoesNotFit error = failure(problem);
  EXPECT_EQ(error.memory_name, "slow");
  EXPECT_EQ(error.short_bytes, 10u);
  EXPECT_FALSE(error.proven);
  problem.buffers[0].allowed = {0};
  error = failure(problem);
  EXPECT_EQ(error.memory_name, "fast");
  EXPECT_EQ(error.short_bytes, 20u);
  EXPECT_TRUE(error.proven);
}

TEST(DoesNotFit, SharedBytesCountOnce) {
  // b is a view inside a: 120 bytes live, and only a is listed.
  Problem problem = problem_of(of_bytes(100), {buffer(120, 0, 0), buffer(40, 0, 0)});
  problem.buffers[1].relative = Relative{0, 8};
  const DoesNotFit error = failure(problem);
  EXPECT_EQ(error.live_bytes, 120u);
  ASSERT_EQ(error.live.size(), 1u);
  EXPECT_EQ(error.live[0].name, "a");
}

TEST(DoesNotFit, ALongListIsSummedUp) {
  const DoesNotFit error =
      failure(problem_of(of_bytes(9), std::vector<Buffer>(40, buffer(1, 0, 0))));
  EXPECT_EQ(error.live.size(), 40u);
  EXPECT_THAT(message(error), HasSubstr("31 bytes short"));
  EXPECT_THAT(message(error), HasSubstr(" and 8 more with 8 bytes."));
}

TEST(DoesNotFit, AMemoryOfNoBytesHoldsOnlyNothing) {
  EXPECT_EQ(offsets(solved(Algorithm::kGreedyBySize, problem_of(of_bytes(0), {buffer(0, 0, 0)}))),
            (std::vector<uint64_t>{0}));
  EXPECT_EQ(failure(problem_of(of_bytes(0), {buffer(1, 0, 0)})).short_bytes, 1u);
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

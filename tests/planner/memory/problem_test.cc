// Problems that contradict themselves are refused with a message that names the culprit.
#include "planner/memory/problem/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Problem two_buffers() { return problem_of(unbounded(), {buffer(8, 0, 3), buffer(16, 1, 2)}); }

std::string refusal(const Problem& problem) {
  return input_error([&] { validate(problem); });
}

TEST(Validate, AcceptsAPlainProblem) { EXPECT_EQ(refusal(two_buffers()), ""); }

TEST(Validate, Memories) {
  EXPECT_THAT(refusal(problem_of({}, {})), HasSubstr("no memory"));
  Problem problem = two_buffers();
  problem.memories[0].alignment = 0;
  EXPECT_THAT(refusal(problem), HasSubstr("memory 'memory' has alignment 0"));
  problem = two_buffers();
  problem.memories[0].size_bytes = kUnbounded - 1;
  EXPECT_THAT(refusal(problem), HasSubstr("expected at most 2^62"));
  problem.memories[0] = {.name = "memory", .base = uint64_t{1} << 63};
  EXPECT_THAT(refusal(problem), HasSubstr("base"));
  problem = two_buffers();
  problem.memories.push_back(problem.memories[0]);
  EXPECT_THAT(refusal(problem), HasSubstr("named twice"));
}

TEST(Validate, LifetimesAndGaps) {
  Problem problem = two_buffers();
  problem.buffers[1].lifetime = {5, 4};
  EXPECT_THAT(refusal(problem), AllOf(HasSubstr("'b'"), HasSubstr("step 4"), HasSubstr("step 5")));
  problem = two_buffers();
  problem.buffers[0].gaps = {{2, 4}};
  EXPECT_THAT(refusal(problem), AllOf(HasSubstr("'a'"), HasSubstr("gap")));
}

TEST(Validate, Alignments) {
  Problem problem = two_buffers();
  problem.buffers[0].alignment = 0;
  EXPECT_THAT(refusal(problem), HasSubstr("'a' has alignment 0"));
  problem.buffers[0].alignment = 4294967291;  // prime
  problem.memories[0].alignment = 2;
  EXPECT_THAT(refusal(problem), HasSubstr("no common multiple"));
  problem = two_buffers();
  problem.memories[0].base = 0x20000010;
  problem.buffers[1].alignment = 64;
  EXPECT_THAT(refusal(problem), AllOf(HasSubstr("536870928"), HasSubstr("64"), HasSubstr("'b'")));
}

TEST(Validate, SizesThatOverflow) {
  Problem problem = two_buffers();
  problem.buffers[0].size_bytes = uint64_t{1} << 61;
  problem.buffers[1].size_bytes = uint64_t{1} << 61;
  EXPECT_THAT(refusal(problem), AllOf(HasSubstr("overflow"), HasSubstr("'b'")));
  problem.buffers[1].size_bytes = UINT64_MAX;
  EXPECT_THAT(refusal(problem), AllOf(HasSubstr("too large"), HasSubstr("'b'")));
}

TEST(Validate, AllowedMemories) {
  Problem problem = two_buffers();
  problem.buffers[0].allowed = {1};
  EXPECT_THAT(refusal(problem), AllOf(HasSubstr("'a'"), HasSubstr("memory 1")));
  problem.memories.push_back({.name = "slow"});
  problem.buffers[1].allowed = {0};
  problem.buffers[1].relative = Relative{0, 0};
  EXPECT_THAT(refusal(problem), HasSubstr("no memory is allowed to both"));
}

TEST(Validate, RelativeBuffers) {
  Problem problem = two_buffers();
  problem.buffers[1].relative = Relative{7, 0};
  EXPECT_THAT(refusal(problem), AllOf(HasSubstr("'b'"), HasSubstr("relative to buffer 7")));
  problem.buffers[1].relative = Relative{1, 0};
  EXPECT_THAT(refusal(problem), AllOf(HasSubstr("'b'"), HasSubstr("cycle")));
  problem.buffers[1].relative = Relative{0, 0};
  problem.buffers[0].relative = Relative{1, 0};
  EXPECT_THAT(refusal(problem), HasSubstr("cycle"));
  problem = two_buffers();
  problem.buffers[1].relative = Relative{0, 6};
  problem.buffers[1].alignment = 4;
  EXPECT_THAT(refusal(problem), AllOf(HasSubstr("'b' needs alignment 4"), HasSubstr("6 bytes")));
  problem.buffers[1].relative = Relative{0, UINT64_MAX};
  EXPECT_THAT(refusal(problem), AllOf(HasSubstr("'b'"), HasSubstr("2^62")));
}

TEST(Validate, ALongChainOfViewsIsResolved) {
  // 100,000 views of views: resolved without recursion, each 1 byte further.
  Problem problem = problem_of(unbounded(), {buffer(200000, 0, 1)});
  for (uint32_t i = 1; i <= 100000; ++i) {
    problem.buffers.push_back(buffer(1, 0, 1));
    problem.buffers.back().relative = Relative{i - 1, 1};
  }
  EXPECT_EQ(solved(Algorithm::kGreedyBySize, problem).placements.back().offset, 100000u);
}

TEST(Validate, FixedBuffers) {
  Problem problem = two_buffers();
  problem.buffers[0].fixed = Placement{1, 0};
  EXPECT_THAT(refusal(problem), AllOf(HasSubstr("'a'"), HasSubstr("memory 1")));
  problem.buffers[0].fixed = Placement{0, 4};
  problem.buffers[0].alignment = 8;
  EXPECT_THAT(refusal(problem), AllOf(HasSubstr("'a'"), HasSubstr("multiple")));
  problem = two_buffers();
  problem.memories[0].size_bytes = 32;
  problem.buffers[1].fixed = Placement{0, 17};
  EXPECT_THAT(refusal(problem), AllOf(HasSubstr("'b'"), HasSubstr("passes the end")));
  problem.buffers[1].fixed = Placement{0, UINT64_MAX};
  EXPECT_THAT(refusal(problem), HasSubstr("passes the end"));
  problem = two_buffers();
  problem.buffers[0].fixed = Placement{0, 0};
  problem.buffers[1].fixed = Placement{0, 0};
  problem.buffers[1].relative = Relative{0, 0};
  EXPECT_THAT(refusal(problem), HasSubstr("both fixed and relative"));
}

TEST(Validate, FixedBuffersThatOverlapWithPermission) {
  Problem problem = problem_of(unbounded(), {buffer(8, 0, 1), buffer(16, 1, 2)});
  problem.overlaps = {{.input = 0, .output = 1, .lead_bytes = 12}};
  problem.buffers[0].fixed = Placement{0, 12};
  problem.buffers[1].fixed = Placement{0, 0};
  EXPECT_EQ(refusal(problem), "");
  problem.buffers[0].fixed = Placement{0, 11};
  EXPECT_THAT(refusal(problem), HasSubstr("overlap in memory 'memory'"));
  problem.buffers[0].fixed = Placement{0, 16};
  EXPECT_EQ(refusal(problem), "");
}

TEST(Validate, FixedBuffersThatOverlap) {
  Problem problem = two_buffers();
  problem.buffers[0].fixed = Placement{0, 0};
  problem.buffers[1].fixed = Placement{0, 7};
  EXPECT_THAT(refusal(problem), AllOf(HasSubstr("'a'"), HasSubstr("'b'"), HasSubstr("overlap")));
  std::swap(problem.buffers[0].fixed, problem.buffers[1].fixed);
  EXPECT_THAT(refusal(problem), HasSubstr("overlap"));
  problem.buffers[1].fixed = Placement{0, 15};
  EXPECT_EQ(refusal(problem), "");
  problem.buffers[1].lifetime = {4, 5};  // at the same place at another time
  problem.buffers[1].fixed = problem.buffers[0].fixed;
  EXPECT_EQ(refusal(problem), "");
}

TEST(Validate, OverlapsAreOfTwoBuffersThatExist) {
  Problem problem = problem_of(unbounded(), {buffer(4, 0, 1), buffer(4, 1, 2)});
  problem.overlaps = {{0, 1, -4}};
  EXPECT_EQ(input_error([&] { validate(problem); }), "");
  problem.overlaps = {{0, 2, 0}};
  EXPECT_EQ(input_error([&] { validate(problem); }),
            "an overlap between buffers 0 and 2; expected two different ones of 2");
  problem.overlaps = {{1, 1, 0}};
  EXPECT_EQ(input_error([&] { validate(problem); }),
            "an overlap between buffers 1 and 1; expected two different ones of 2");
  problem.overlaps = {{0, 1, INT64_MIN}};
  EXPECT_EQ(input_error([&] { validate(problem); }),
            "the overlap of buffer 'a' has a lead of -9223372036854775808 bytes; expected at most "
            "2^61 either way");
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

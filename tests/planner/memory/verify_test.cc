// Each kind of violation, planted into a right plan, is found and names its buffers.
#include "planner/memory/problem/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

using testing::HasSubstr;

struct Case {
  Problem problem;
  Solution solution;
};

// a and b side by side in fast, view inside b, part of view, pinned at 64 in slow, later over a.
Case right() {
  Case made;
  made.problem.memories = {{.name = "fast", .base = 256, .size_bytes = 256, .alignment = 16},
                           {.name = "slow", .alignment = 4}};
  std::vector<Buffer> buffers = {buffer(100, 0, 3), buffer(64, 1, 5), buffer(16, 2, 6),
                                 buffer(8, 2, 3),   buffer(32, 0, 9), buffer(50, 4, 4)};
  const std::vector<std::string> names = {"a", "b", "view", "part", "pinned", "later"};
  for (std::size_t i = 0; i < names.size(); ++i) buffers[i].name = names[i];
  buffers[0].alignment = 32;
  buffers[0].allowed = {0};
  buffers[2].relative = Relative{1, 16};
  buffers[3].relative = Relative{2, 4};
  buffers[4].fixed = Placement{1, 64};
  made.problem.buffers = std::move(buffers);
  made.solution = {{{0, 0}, {0, 112}, {0, 128}, {0, 132}, {1, 64}, {0, 0}}};
  return made;
}

struct Mutation {
  Violation violation;
  std::string named;  // must be in the message
  std::function<void(Case&)> plant;
};

std::vector<Mutation> mutations() {
  return {
      {Violation::kMissingPlacement, "'later'", [](Case& c) { c.solution.placements.pop_back(); }},
      {Violation::kMissingPlacement, "'b'",
       [](Case& c) { c.solution.placements[1] = Placement{}; }},
      {Violation::kExtraPlacement, "7 placements for 6",
       [](Case& c) {
         c.solution.placements.push_back({0, 0});
       }},
      {Violation::kUnknownMemory, "'later'", [](Case& c) { c.solution.placements[5].memory = 2; }},
      {Violation::kForbiddenMemory, "'a'", [](Case& c) { c.solution.placements[0].memory = 1; }},
      {Violation::kFixedMoved, "'pinned'", [](Case& c) { c.solution.placements[4].offset = 68; }},
      {Violation::kFixedMoved, "'pinned'", [](Case& c) { c.solution.placements[4].memory = 0; }},
      {Violation::kRelativeUnresolved, "'view'",
       [](Case& c) { c.problem.buffers[2].relative->base = 99; }},
      {Violation::kRelativeUnresolved, "'view'",
       [](Case& c) {  // view and part at each other's place, which no single check can refute
         c.problem.buffers[2].relative = Relative{3, 0};
         c.problem.buffers[3].relative = Relative{2, 0};
         c.solution.placements[3] = c.solution.placements[2];
       }},
      {Violation::kRelativeUnresolved, "'view'",
       [](Case& c) {
         c.problem.buffers[2].relative = Relative{2, 0};
       }},
      {Violation::kRelativeBroken, "'view'",
       [](Case& c) { c.solution.placements[2].offset = 144; }},
      {Violation::kRelativeBroken, "'part'", [](Case& c) { c.solution.placements[3].memory = 1; }},
      {Violation::kRelativeBroken, "'part'",
       [](Case& c) {  // 128 + offset wraps round to 8
         c.problem.buffers[3].relative->offset_bytes = UINT64_MAX - 119;
         c.solution.placements[3].offset = 8;
       }},
      {Violation::kMisaligned, "'later'",  // the memory's 16
       [](Case& c) { c.solution.placements[5].offset = 8; }},
      {Violation::kMisaligned, "'a'",  // its own 32
       [](Case& c) { c.solution.placements[0].offset = 16; }},
      {Violation::kMisaligned, "'a'",  // the address, although the offset is right
       [](Case& c) { c.problem.memories[0].base = 272; }},
      {Violation::kMisaligned, "'later'", [](Case& c) { c.problem.buffers[5].alignment = 0; }},
      {Violation::kMisaligned, "'part'",  // a view has its own alignment only
       [](Case& c) { c.problem.buffers[3].alignment = 8; }},
      {Violation::kSizeOverflow, "'later'",
       [](Case& c) { c.solution.placements[5].offset = UINT64_MAX - 15; }},
      {Violation::kSizeOverflow, "'pinned'",
       [](Case& c) { c.problem.memories[1].base = UINT64_MAX - 95; }},
      {Violation::kOutOfMemory, "'later'", [](Case& c) { c.solution.placements[5].offset = 208; }},
      {Violation::kBadLifetime, "'a'",
       [](Case& c) {
         c.problem.buffers[0].lifetime = {3, 2};
       }},
      {Violation::kBadGap, "'a'",
       [](Case& c) {
         c.problem.buffers[0].gaps = {{c.problem.buffers[0].lifetime, ByteRange{8, 8}}};
       }},
      {Violation::kBadGap, "'a'",
       [](Case& c) {
         const Lifetime& life = c.problem.buffers[0].lifetime;
         c.problem.buffers[0].gaps = {{{life.last, life.last + 1}}};
       }},
      {Violation::kOverlap, "'later'",  // over b and its view
       [](Case& c) { c.solution.placements[5].offset = 128; }},
      {Violation::kOverlap, "'view'",  // at step 6 b is dead, but not its view
       [](Case& c) {
         c.problem.buffers[5].lifetime = {6, 6};
         c.solution.placements[5].offset = 112;
       }},
      {Violation::kOverlap, "'a'",  // the same last step
       [](Case& c) { c.problem.buffers[5].lifetime.first = 3; }},
      {Violation::kOverlap, "'b'",  // behind the view, which ends before it
       [](Case& c) {
         c.problem.buffers[5].size_bytes = 4;
         c.solution.placements[5].offset = 160;
       }},
  };
}

TEST(Verify, AcceptsTheRightPlan) {
  const Case made = right();
  const std::optional<Finding> finding = verify(made.problem, made.solution);
  EXPECT_FALSE(finding) << finding->message;
}

TEST(Verify, FindsEachPlantedViolation) {
  std::vector<bool> planted(static_cast<std::size_t>(kViolationLast) + 1, false);
  std::size_t number = 0;
  for (const Mutation& mutation : mutations()) {
    SCOPED_TRACE("mutation " + std::to_string(number++) + ", " +
                 std::string(name_of(mutation.violation)));
    planted[static_cast<std::size_t>(mutation.violation)] = true;
    Case made = right();
    mutation.plant(made);
    const std::optional<Finding> finding = verify(made.problem, made.solution);
    ASSERT_TRUE(finding);
    EXPECT_EQ(name_of(finding->violation), name_of(mutation.violation)) << finding->message;
    EXPECT_THAT(finding->message, HasSubstr(mutation.named));
  }
  for (std::size_t i = 0; i < planted.size(); ++i) {
    EXPECT_TRUE(planted[i]) << "nothing plants " << name_of(static_cast<Violation>(i));
  }
}

TEST(Verify, NamesBothBuffersOfAnOverlap) {
  Case made = right();
  made.solution.placements[5].offset = 128;
  const std::optional<Finding> finding = verify(made.problem, made.solution);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->buffer, 5u);
  ASSERT_TRUE(finding->other);
  EXPECT_THAT(finding->message, HasSubstr("'later' in memory 'fast' at [128, 178)"));
}

TEST(Verify, EmptyBuffersOverlapNothing) {
  const Problem problem = problem_of(unbounded(), {buffer(10, 0, 1), buffer(0, 0, 1)});
  EXPECT_FALSE(verify(problem, {{{0, 0}, {0, 5}}}));
}

TEST(Verify, TheSameBytesInTwoMemoriesAreApart) {
  const Problem problem =
      problem_of({{.name = "fast"}, {.name = "slow"}}, {buffer(10, 0, 1), buffer(10, 0, 1)});
  EXPECT_FALSE(verify(problem, {{{0, 0}, {1, 0}}}));
  EXPECT_TRUE(verify(problem, {{{1, 0}, {1, 0}}}));
}

TEST(Verify, SiblingsMayShareBytesAndHideEachOther) {
  // Views of a stacked below x: whichever of them x runs into is found.
  Problem problem = problem_of(
      unbounded(), {buffer(100, 0, 0), buffer(5, 0, 0), buffer(5, 0, 0), buffer(10, 0, 0)});
  problem.buffers[1].relative = Relative{0, 20};
  problem.buffers[2].relative = Relative{0, 22};
  for (const uint64_t offset : {uint64_t{0}, uint64_t{24}, uint64_t{50}, uint64_t{99}}) {
    const std::optional<Finding> finding =
        verify(problem, {{{0, 0}, {0, 20}, {0, 22}, {0, offset}}});
    ASSERT_TRUE(finding) << offset;
    EXPECT_EQ(finding->violation, Violation::kOverlap);
  }
  EXPECT_FALSE(verify(problem, {{{0, 0}, {0, 20}, {0, 22}, {0, 100}}}));
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

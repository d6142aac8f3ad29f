// Methods planned together: bytes shared between them, and values that keep theirs.
#include "planner/place/placer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "planner/memory/problem/verify.h"
#include "planner/memplan/constraints.h"
#include "planner/memplan/json_input.h"
#include "tests/planner/memory/build.h"

namespace arenite::memory {
namespace {

using testing::HasSubstr;
using Offsets = std::vector<uint64_t>;

// Encoder: x 0-0, y 0-1, state 1-2. Helper: big 0-3. Decoder: state 0-1, out 1-1.
std::vector<Problem> three_methods() {
  std::vector<Problem> methods = {
      problem_of(unbounded(), {buffer(100, 0, 0), buffer(50, 0, 1), buffer(40, 1, 2)}),
      problem_of(unbounded(), {buffer(120, 0, 3)}),
      problem_of(unbounded(), {buffer(40, 0, 1), buffer(90, 1, 1)})};
  const char* const names[] = {"encoder", "helper", "decoder"};
  for (std::size_t m = 0; m < methods.size(); ++m) {
    for (Buffer& one : methods[m].buffers) one.name = std::string(names[m]) + ":" + one.name;
  }
  return methods;
}

void tie(JointProblem& joint, const std::string& entries) {
  const Constraints constraints =
      read_constraints("{\"constraints\": [" + entries + "]}", "c.json");
  apply_constraints(
      constraints, [&joint](const std::string& name) { return buffer_named(joint.problem, name); },
      joint.problem);
  keep_between_methods(joint);
}

TEST(Methods, FollowOneAnotherInTime) {
  std::vector<Problem> methods = three_methods();
  methods[0].overlaps = {{1, 2, 8}};
  methods[2].overlaps = {{0, 1, 0}};
  methods[2].buffers[0].gaps = {{1, 1}};
  const JointProblem joint = join_methods(methods);
  EXPECT_EQ(joint.first_buffer, (std::vector<uint32_t>{0, 3, 4, 6}));
  EXPECT_EQ(joint.first_step, (std::vector<uint32_t>{0, 3, 7}));
  EXPECT_EQ(joint.problem.buffers[3].lifetime.first, 3u);
  EXPECT_EQ(joint.problem.buffers[3].lifetime.last, 6u);
  EXPECT_EQ(joint.problem.buffers[4].lifetime.first, 7u);
  EXPECT_EQ(joint.problem.buffers[4].gaps[0].steps.first, 8u);
  EXPECT_EQ(joint.problem.overlaps[1].input, 4u);
  EXPECT_EQ(joint.problem.overlaps[1].output, 5u);
}

TEST(Methods, ShareTheirBytesWhereNothingIsTied) {
  const std::vector<Problem> methods = three_methods();
  const JointProblem joint = join_methods(methods);
  const std::vector<Solution> solutions =
      split_methods(joint.first_buffer, solved(Algorithm::kGreedyBySize, joint.problem));
  ASSERT_EQ(solutions.size(), 3u);
  for (std::size_t m = 0; m < methods.size(); ++m) {
    EXPECT_EQ(offsets(solutions[m]), offsets(solved(Algorithm::kGreedyBySize, methods[m])));
  }
}

TEST(Methods, WhatIsTiedLastsThroughTheMethodsBetween) {
  JointProblem joint = join_methods(three_methods());
  tie(joint, R"({"tensor": "decoder:a", "tie": "encoder:c"})");
  EXPECT_EQ(joint.problem.buffers[2].lifetime.last, 6u);  // up to the decoder's first step, 7
  const Solution solution = solved(Algorithm::kGreedyBySize, joint.problem);
  EXPECT_FALSE(verify(joint.problem, solution));
  const std::vector<Solution> solutions = split_methods(joint.first_buffer, solution);
  const uint64_t state = solutions[0].placements[2].offset;
  EXPECT_EQ(solutions[2].placements[0].offset, state);
  const uint64_t helper = solutions[1].placements[0].offset;
  EXPECT_TRUE(helper + 120 <= state || state + 40 <= helper);

  Solution trampled = solution;
  trampled.placements[3].offset = state;
  EXPECT_EQ(verify(joint.problem, trampled)->violation, Violation::kOverlap);
}

TEST(Methods, WhatIsKeptYieldsNoBytes) {
  std::vector<Problem> methods = three_methods();
  methods[0].overlaps = {{0, 1, 0}, {1, 2, 0}};
  JointProblem joint = join_methods(methods);
  tie(joint, R"({"tensor": "decoder:a", "tie": "encoder:b"})");
  ASSERT_EQ(joint.problem.overlaps.size(), 1u);
  EXPECT_EQ(joint.problem.overlaps[0].input, 0u);
}

TEST(Methods, TooManySteps) {
  const std::vector<Problem> methods(2, problem_of(unbounded(), {buffer(1, 0, UINT32_MAX - 1)}));
  EXPECT_THAT(input_error([&] { join_methods(methods); }), HasSubstr("steps"));
  EXPECT_TRUE(join_methods({}).problem.buffers.empty());
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

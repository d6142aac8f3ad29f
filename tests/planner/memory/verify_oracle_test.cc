// The verifier against a check of all pairs, byte range by byte range: O(n^2) and plainly right.
#include <gtest/gtest.h>

#include "planner/memory/problem/uses.h"
#include "planner/memory/problem/verify.h"
#include "tests/planner/memory/build.h"
#include "tests/planner/memory/generators.h"
#include "tests/planner/memory/random_problem.h"

namespace arenite::memory {
namespace {

uint32_t base_of(const Problem& problem, uint32_t buffer) {
  while (problem.buffers[buffer].relative) buffer = problem.buffers[buffer].relative->base;
  return buffer;
}

// Whether the two hold data in one byte at one step.
bool collide(const Problem& problem, const Solution& solution, uint32_t a, uint32_t b) {
  const Placement& at = solution.placements[a];
  const Placement& to = solution.placements[b];
  if (at.memory != to.memory) return false;
  for (const Use& x : uses_of(problem.buffers[a])) {
    for (const Use& y : uses_of(problem.buffers[b])) {
      if (x.steps.meets(y.steps) && at.offset + x.bytes.begin < to.offset + y.bytes.end &&
          to.offset + y.bytes.begin < at.offset + x.bytes.end) {
        return true;
      }
    }
  }
  return false;
}

bool may_collide(const Problem& problem, const Solution& solution, uint32_t a, uint32_t b) {
  for (const Overlap& overlap : problem.overlaps) {
    const bool these =
        (overlap.input == a && overlap.output == b) || (overlap.input == b && overlap.output == a);
    const Lifetime& input = problem.buffers[overlap.input].lifetime;
    const Lifetime& output = problem.buffers[overlap.output].lifetime;
    const auto distance = static_cast<int64_t>(solution.placements[overlap.input].offset -
                                               solution.placements[overlap.output].offset);
    if (these && input.last == output.first && distance >= overlap.lead_bytes) return true;
  }
  return false;
}

bool any_collision(const Problem& problem, const Solution& solution) {
  for (uint32_t a = 0; a < problem.buffers.size(); ++a) {
    for (uint32_t b = 0; b < a; ++b) {
      if (base_of(problem, a) != base_of(problem, b) && collide(problem, solution, a, b) &&
          !may_collide(problem, solution, a, b)) {
        return true;
      }
    }
  }
  return false;
}

// Moves whole groups, to where they are allowed and aligned.
void disturb(const Problem& problem, Dice& dice, Solution& solution) {
  for (uint32_t moves = dice.within(1, 3); moves > 0; --moves) {
    const uint32_t from = dice.below(static_cast<uint32_t>(problem.buffers.size()));
    const uint32_t root = base_of(problem, from);
    if (problem.buffers[root].fixed) continue;
    const uint64_t up = uint64_t{48} * dice.below(6);
    const bool down = dice.one_in(2) && solution.placements[root].offset >= up;
    for (uint32_t i = 0; i < problem.buffers.size(); ++i) {
      if (base_of(problem, i) == root) solution.placements[i].offset += down ? 0 - up : up;
    }
  }
}

TEST(VerifyOracle, AgreesOnOverlaps) {
  uint32_t wrong = 0;
  uint32_t right = 0;
  for (uint32_t seed = 0; seed < 1500; ++seed) {
    const Problem problem = random_problem(seed);
    const Outcome outcome = plan(Algorithm::kGreedyBySize, problem);
    const auto* solution = std::get_if<Solution>(&outcome);
    if (solution == nullptr || problem.buffers.empty()) continue;
    ASSERT_FALSE(any_collision(problem, *solution)) << seed;
    Dice dice(seed);
    for (int tries = 0; tries < 8; ++tries) {
      Solution other = *solution;
      disturb(problem, dice, other);
      const std::optional<Finding> finding = verify(problem, other);
      if (finding && finding->violation != Violation::kOverlap) continue;
      ASSERT_EQ(any_collision(problem, other), finding.has_value())
          << "seed " << seed << (finding ? ": " + finding->message : "");
      (finding ? wrong : right) += 1;
    }
  }
  EXPECT_GT(wrong, 1000u);
  EXPECT_GT(right, 1000u);
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

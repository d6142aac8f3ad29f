// Thousands of random problems through every algorithm, the verifier, the bounds and the report.
#include <gtest/gtest.h>

#include <algorithm>

#include "planner/memory/problem/live_bytes.h"
#include "planner/memory/problem/verify.h"
#include "planner/memory/report.h"
#include "tests/environment_count.h"
#include "tests/planner/memory/build.h"
#include "tests/planner/memory/random_problem.h"

namespace arenite::memory {
namespace {

// About a quarter of them does not fit.
uint32_t problem_count() { return test::environment_count("ARENITE_TEST_PROBLEMS", 500); }
constexpr uint64_t kWork = 20'000;  // steps of a packing: few, these problems are small

uint32_t root_of(const Problem& problem, uint32_t i) {
  while (problem.buffers[i].relative) i = problem.buffers[i].relative->base;
  return i;
}

// Whether an overlap of the problem lets them share bytes as they lie.
bool permitted(const Problem& problem, const Solution& solution, uint32_t i, uint32_t j) {
  return std::any_of(problem.overlaps.begin(), problem.overlaps.end(), [&](const Overlap& overlap) {
    if (!(overlap.input == i && overlap.output == j) &&
        !(overlap.input == j && overlap.output == i)) {
      return false;
    }
    const auto in = static_cast<int64_t>(solution.placements[overlap.input].offset);
    const auto out = static_cast<int64_t>(solution.placements[overlap.output].offset);
    return problem.buffers[overlap.input].lifetime.last ==
               problem.buffers[overlap.output].lifetime.first &&
           in >= out + overlap.lead_bytes;
  });
}

// The bytes of a placed buffer that hold data at a step.
ByteRange used_at(const Buffer& buffer, const Placement& at, uint32_t step) {
  const auto covers = [step](const Lifetime& steps) {
    return steps.first <= step && step <= steps.last;
  };
  if (!covers(buffer.lifetime)) return {};
  ByteRange bytes{0, buffer.size_bytes};
  for (const Gap& gap : buffer.gaps) {
    if (covers(gap.steps)) bytes = gap.in_use.value_or(ByteRange{});
  }
  return {at.offset + bytes.begin, at.offset + bytes.end};
}

bool share_bytes(const Problem& problem, const Solution& solution, uint32_t i, uint32_t j) {
  const Lifetime& life = problem.buffers[i].lifetime;
  for (uint64_t step = life.first; step <= life.last; ++step) {
    const auto at = static_cast<uint32_t>(step);
    const ByteRange a = used_at(problem.buffers[i], solution.placements[i], at);
    const ByteRange b = used_at(problem.buffers[j], solution.placements[j], at);
    if (std::max(a.begin, b.begin) < std::min(a.end, b.end)) return true;
  }
  return false;
}

// All pairs at all steps, the plain way.
bool any_overlap(const Problem& problem, const Solution& solution) {
  for (uint32_t i = 0; i < problem.buffers.size(); ++i) {
    for (uint32_t j = 0; j < i; ++j) {
      if (solution.placements[i].memory == solution.placements[j].memory &&
          root_of(problem, i) != root_of(problem, j) && share_bytes(problem, solution, i, j) &&
          !permitted(problem, solution, i, j)) {
        return true;
      }
    }
  }
  return false;
}

void check_solution(const Problem& problem, const Solution& solution) {
  const std::optional<Finding> finding = verify(problem, solution);
  ASSERT_FALSE(finding) << finding->message;
  ASSERT_FALSE(any_overlap(problem, solution));
}

// A report proves its bounds by searches: longer than most plans take.
void check_report(const Problem& problem, const Solution& solution) {
  const MemoryReport report = make_report(problem, solution);
  uint64_t bounds = 0;
  for (std::size_t m = 0; m < report.memories.size(); ++m) {
    const MemoryUse& use = report.memories[m];
    ASSERT_LE(use.peak_bytes, use.size_bytes);
    ASSERT_LE(use.lower_bound_bytes, use.peak_bytes);
    bounds += use.lower_bound_bytes;
  }
  ASSERT_LE(report.total_peak_bytes, bounds);
  ASSERT_LE(lower_bound(problem), report.peak_sum_bytes);
  ASSERT_LE(report.slow_traffic_bound_bytes, report.slow_traffic_bytes);
}

void check_failure(const Problem& problem, const DoesNotFit& error) {
  ASSERT_LT(error.memory, problem.memories.size());
  ASSERT_GT(error.short_bytes, 0u);
  ASSERT_EQ(error.needed_bytes, error.memory_bytes + error.short_bytes);
  ASSERT_EQ(error.memory_bytes, problem.memories[error.memory].size_bytes);
  ASSERT_LE(error.live_bytes, error.needed_bytes);
  uint64_t listed_bytes = 0;
  for (const LiveBuffer& live : error.live) {
    const Lifetime& lifetime = problem.buffers[live.buffer].lifetime;
    ASSERT_LE(lifetime.first, error.step);
    ASSERT_LE(error.step, lifetime.last);
    listed_bytes += live.size_bytes;
  }
  ASSERT_GE(listed_bytes, error.live_bytes);
  if (error.proven) {
    ASSERT_GT(error.live_bytes, error.memory_bytes);
  }
}

class EveryAlgorithm : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryAlgorithm, PlansAreRightAndFailuresExplained) {
  const Algorithm algorithm = *find_algorithm(GetParam());
  const uint32_t problems = problem_count();
  uint32_t fitting = 0;
  for (uint32_t seed = 0; seed < problems; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem problem = random_problem(seed);
    const Outcome outcome = plan(algorithm, problem, {.work_max = kWork});
    if (const auto* solution = std::get_if<Solution>(&outcome)) {
      ++fitting;
      ASSERT_NO_FATAL_FAILURE(check_solution(problem, *solution));
      if (seed % 4 != 0) continue;
      ASSERT_NO_FATAL_FAILURE(check_report(problem, *solution));
    } else {
      ASSERT_NO_FATAL_FAILURE(check_failure(problem, std::get<DoesNotFit>(outcome)));
    }
  }
  EXPECT_GE(fitting, problems / 2);
  EXPECT_LT(fitting, problems);
}

INSTANTIATE_TEST_SUITE_P(Memory, EveryAlgorithm, testing::ValuesIn(algorithm_names()),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(Random, GreedyTakesTheSameWayThroughBothIndices) {
  // Many buffers alive together make it scan in offset order; the same buffers with a disjoint
  // crowd at other times, which changes no offset, make the live ones few.
  Problem dense = problem_of(unbounded(), {});
  for (uint32_t i = 0; i < 1500; ++i) {
    dense.buffers.push_back(buffer(1 + (i * 7919) % 1000, (i * 31) % 50, 50 + (i * 17) % 50));
  }
  Problem sparse = dense;
  for (uint32_t i = 0; i < 150000; ++i) sparse.buffers.push_back(buffer(2000, 200 + i, 200 + i));
  const std::vector<uint64_t> expected = offsets(solved(Algorithm::kGreedyBySize, dense));
  std::vector<uint64_t> found = offsets(solved(Algorithm::kGreedyBySize, sparse));
  found.resize(expected.size());
  EXPECT_EQ(found, expected);
}

TEST(Random, VerifierFindsAnOverlapExactlyWhenThereIsOne) {
  // Plans with one buffer moved, its own constraints kept: the walk and all pairs must agree.
  const uint32_t problems = problem_count();
  uint32_t overlaps = 0;
  for (uint32_t seed = 0; seed < problems; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem problem = random_problem(seed);
    for (Memory& memory : problem.memories) memory.size_bytes = kUnbounded;
    Solution solution = solved(Algorithm::kGreedyBySize, problem);
    if (problem.buffers.empty()) continue;
    const uint32_t root = root_of(problem, seed % static_cast<uint32_t>(problem.buffers.size()));
    if (problem.buffers[root].fixed) continue;
    const uint64_t distance = 48 * (1 + seed % 3);  // keeps every alignment
    for (uint32_t i = 0; i < problem.buffers.size(); ++i) {
      if (root_of(problem, i) == root) solution.placements[i].offset += distance;
    }
    const std::optional<Finding> finding = verify(problem, solution);
    ASSERT_EQ(finding.has_value(), any_overlap(problem, solution));
    if (!finding) continue;
    ++overlaps;
    ASSERT_EQ(finding->violation, Violation::kOverlap) << finding->message;
    ASSERT_TRUE(finding->other);
  }
  EXPECT_GT(overlaps, problems / 4);
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Planning that is ended from outside: there is always a plan, it is right, and claims no more than
// is proved.
#include "planner/memory/problem/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "planner/memory/greedy/greedy.h"
#include "planner/memory/greedy/linear_scan.h"
#include "planner/memory/pack/in_order.h"
#include "planner/memory/problem/verify.h"
#include "planner/memory/report.h"
#include "tests/planner/memory/build.h"
#include "tests/planner/memory/generators.h"
#include "tests/planner/memory/random_problem.h"

namespace arenite::memory {
namespace {

constexpr Algorithm kAll[] = {Algorithm::kNaive, Algorithm::kGreedyFirstFit,
                              Algorithm::kGreedyBySize, Algorithm::kPortfolio, Algorithm::kSearch};

TEST(Watch, AnEndBeforeTheBeginningStillGivesARightPlan) {
  Watch watch;
  watch.deadline = Watch::Clock::now();
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const Problem problem = random_problem(seed);
    for (const Algorithm algorithm : kAll) {
      SCOPED_TRACE(std::string(name_of(algorithm)) + ", seed " + std::to_string(seed));
      const Outcome outcome = plan(algorithm, problem, {.watch = &watch});
      const auto* solution = std::get_if<Solution>(&outcome);
      if (solution == nullptr) continue;
      const std::optional<Finding> finding = verify(problem, *solution);
      ASSERT_FALSE(finding) << finding->message;
      const MemoryReport report = make_report(problem, *solution, &watch);
      ASSERT_LE(report.lower_bound_bytes, report.peak_sum_bytes);
      ASSERT_LE(report.slow_traffic_bound_bytes, report.slow_traffic_bytes);
    }
  }
}

TEST(Watch, APlanInAMomentIsNearTheBound) {
  // Against 8 times the bound where nothing is reused.
  Known known = guillotine_packing(3, {2000, 400, 20'000});
  Watch watch;
  watch.deadline = Watch::Clock::now();
  const Solution solution =
      std::get<Solution>(plan(Algorithm::kSearch, known.problem, {.watch = &watch}));
  EXPECT_FALSE(verify(known.problem, solution));
  EXPECT_LT(make_report(known.problem, solution).peak_sum_bytes, 2 * *known.height);
}

TEST(Watch, AnInterruptKeepsTheBestSoFar) {
  const Known known = guillotine_packing(5, {400, 100, 2000});
  std::atomic<bool> interrupted = false;
  uint64_t told = 0;
  Watch watch;
  watch.interrupted = &interrupted;
  watch.progress = [&](const std::string& what, uint64_t, uint64_t) {
    const std::size_t at = what.find("height ");
    ASSERT_NE(at, std::string::npos) << what;
    told = std::stoull(what.substr(at + 7));
    interrupted = true;
  };
  const Outcome outcome =
      plan(Algorithm::kSearch, known.problem, {.work_max = UINT64_MAX, .watch = &watch});
  const Solution& solution = std::get<Solution>(outcome);
  EXPECT_FALSE(verify(known.problem, solution));
  const MemoryReport report = make_report(known.problem, solution);
  EXPECT_EQ(report.peak_sum_bytes, told);  // of the first order, after which it was interrupted
  EXPECT_EQ(report.optimal, told == *known.height);
  EXPECT_EQ(watch.stop(), Stop::kInterrupt);
}

TEST(Watch, WithoutAnEndNothingChanges) {
  const Known known = guillotine_packing(9, {60, 40, 500});
  const Watch watch;
  EXPECT_EQ(
      offsets(solved(Algorithm::kSearch, known.problem)),
      offsets(std::get<Solution>(plan(Algorithm::kSearch, known.problem, {.watch = &watch}))));
}

// Heights told until `ends` of them were, when it was interrupted, and the height of the plan then.
struct Course {
  std::vector<uint64_t> told;
  uint64_t height = 0;
};

Course course_of(const Problem& problem, uint64_t work_max, std::size_t ends) {
  Course course;
  std::atomic<bool> interrupted = false;
  Watch watch;
  watch.interrupted = &interrupted;
  watch.progress = [&](const std::string& what, uint64_t, uint64_t) {
    course.told.push_back(std::stoull(what.substr(what.find("height ") + 7)));
    interrupted = course.told.size() >= ends;
  };
  const Outcome outcome =
      plan(Algorithm::kSearch, problem, {.work_max = work_max, .watch = &watch});
  course.height = make_report(problem, std::get<Solution>(outcome)).peak_sum_bytes;
  return course;
}

// A search that time limits takes the way of one that work limits, and then goes on: wherever time
// ends it on that way, it is no lower, and beyond it is no higher.
TEST(Watch, ALongerSearchNeverEndsHigher) {
  for (const uint32_t seed : {1u, 2u}) {
    SCOPED_TRACE(seed);
    const Problem problem = pinwheel_packing(seed, {100, 100, 1000}).problem;
    const Course by_work = course_of(problem, kWorkBySize, SIZE_MAX);
    ASSERT_GT(by_work.told.size(), 1u);
    const std::size_t count = by_work.told.size();
    for (const std::size_t ends : {std::size_t{1}, count / 2, count}) {
      const Course by_time = course_of(problem, UINT64_MAX, ends);
      // Some orders are packed in any case.
      ASSERT_GE(by_time.told.size(), ends);
      ASSERT_LE(by_time.told.size(), by_work.told.size());
      EXPECT_TRUE(std::equal(by_time.told.begin(), by_time.told.end(), by_work.told.begin()));
      EXPECT_GE(by_time.height, by_work.height);
    }
  }
}

// Fixed items are settled in order of offset, so that nothing has to make room.
TEST(Watch, ManyFixedItemsMoveNothing) {
  PackProblem problem;
  constexpr uint32_t kFixed = 20'000;
  for (uint32_t i = 0; i < kFixed; ++i) {
    Item item{.size_bytes = 1, .lifetime = {0, 9}};
    item.fixed = Placement{0, kFixed - 1 - i};
    problem.items.push_back(std::move(item));
  }
  problem.items.push_back({.size_bytes = 5, .lifetime = {3, 4}});
  OrderPacker packer(problem, nullptr);
  std::vector<uint32_t> order(problem.items.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<uint64_t> offsets;
  EXPECT_EQ(packer.pack(order, Fit::kLowest, offsets), kFixed + 5);
  EXPECT_EQ(packer.moved(), 0u);
}

TEST(LinearScan, KeepsClearOfWhatIsFixed) {
  const auto fixed = [](Buffer made, uint64_t offset) {
    made.fixed = Placement{0, offset};
    return made;
  };
  Problem problem = problem_of(
      unbounded(), {fixed(buffer(10, 0, 9), 10), fixed(buffer(10, 5, 9), 40), buffer(10, 0, 2),
                    buffer(20, 0, 9), buffer(10, 3, 9), buffer(0, 0, 9), buffer(11, 4, 9)});
  Watch watch;
  watch.deadline = Watch::Clock::now();
  for (const Algorithm algorithm : {Algorithm::kGreedyFirstFit, Algorithm::kSearch}) {
    const Solution solution = std::get<Solution>(plan(algorithm, problem, {.watch = &watch}));
    EXPECT_FALSE(verify(problem, solution));
    // Holes 0-10 and 20-40 below and between; e takes c's place, g goes above all.
    EXPECT_EQ(offsets(solution), (std::vector<uint64_t>{10, 40, 0, 20, 0, 0, 50}));
  }
}

TEST(LinearScan, GivesBackWhatDied) {
  LinearScan scan({});
  EXPECT_EQ(scan.find(0, 10, 1), 0u);
  scan.take(0, {0, 10});
  EXPECT_EQ(scan.find(0, 6, 4), 12u);  // aligned: a hole of 2 is left below
  scan.take(2, {12, 18});
  EXPECT_EQ(scan.find(0, 2, 2), 10u);
  scan.take(1, {10, 12});
  EXPECT_EQ(scan.find(1, 10, 1), 0u);   // the first died after step 0
  EXPECT_EQ(scan.find(2, 12, 1), 0u);   // with what lay above it
  EXPECT_EQ(scan.find(3, 100, 1), 0u);  // all died
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// The largest problems: what a planner for as many buffers as researchers have does within bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "planner/memory/greedy/greedy.h"
#include "planner/memory/greedy/linear_scan.h"
#include "planner/memory/report.h"
#include "planner/memplan/memplan.h"
#include "tests/planner/memory/build.h"
#include "tests/planner/memory/generators.h"
#include "tests/planner/memory/write_csv.h"

namespace arenite::memory {
namespace {

namespace fs = std::filesystem;

// A problem of as many buffers as researchers have, of all lengths of life, some with gaps and
// parts.
Problem large_problem(uint32_t count) {
  Dice dice(7);
  Problem problem = problem_of(unbounded(), {});
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t first = dice.below(count);
    Buffer made = buffer(1 + dice.below(1 << 20), first, first + dice.below(20'000));
    made.name = std::to_string(i);
    made.alignment = 1u << dice.below(7);
    if (dice.one_in(50) && made.lifetime.last > first + 2) {
      made.gaps = {{{first + 1, made.lifetime.last - 1}, std::nullopt}};
    }
    problem.buffers.push_back(std::move(made));
  }
  return problem;
}

// There are more items than all orders are tried for: greedy and a linear scan count too. The
// search is interrupted once the first packing of the long-lived is there.
TEST(Watch, OfVeryManyItemsTheLowestPlanCounts) {
  Dice dice(3);
  Problem problem = problem_of(unbounded(), {});
  for (uint32_t i = 0; i < 170'000; ++i) {
    const uint32_t first = dice.below(170'000);
    Buffer made = buffer(1 + dice.below(1 << 20), first, first + dice.below(20));
    made.name = std::to_string(i);
    problem.buffers.push_back(std::move(made));
  }
  const CheckedProblem checked(problem);
  const auto height_of = [&](const ItemPlan& plan) {
    uint64_t height = 0;
    for (std::size_t i = 0; i < plan.placements.size(); ++i) {
      height = std::max(height, plan.placements[i].offset + checked.items()[i].size_bytes);
    }
    return height;
  };
  std::atomic<bool> interrupted = false;
  Watch watch;
  watch.interrupted = &interrupted;
  watch.progress = [&](const std::string&, uint64_t, uint64_t) { interrupted = true; };
  const Outcome outcome = plan(Algorithm::kSearch, problem, {.watch = &watch});
  const uint64_t found = make_report(problem, std::get<Solution>(outcome)).peak_sum_bytes;
  EXPECT_TRUE(interrupted);
  EXPECT_LE(found, height_of(place_greedy_by_size(checked, nullptr)));
  EXPECT_LE(found, height_of(linear_scan(checked)));
}

// A limit that is long over when planning begins leaves time for a linear scan alone, whatever the
// machine: no order is packed or reported. bench_time_limit measures.
TEST(TimeLimit, HoldsAtAHundredThousandBuffers) {
  const std::string folder = testing::TempDir() + "arenite_time_limit";
  fs::create_directories(folder);
  MemplanOptions options;
  options.problem_path = folder + "/large.csv";
  std::ofstream(options.problem_path) << write_csv(large_problem(100'000));
  options.time_limit_seconds = 0.001;
  const CheckedProblem problem(large_problem(100'000));
  const ItemPlan scan = linear_scan(problem);
  uint64_t scanned = 0;
  for (std::size_t i = 0; i < scan.placements.size(); ++i) {
    scanned = std::max(scanned, scan.placements[i].offset + problem.items()[i].size_bytes);
  }
  for (const Algorithm algorithm :
       {Algorithm::kNaive, Algorithm::kGreedyFirstFit, Algorithm::kGreedyBySize,
        Algorithm::kPortfolio, Algorithm::kSearch}) {
    SCOPED_TRACE(name_of(algorithm));
    options.algorithm = name_of(algorithm);
    uint32_t orders = 0;
    options.progress = [&](const std::string&, uint64_t, uint64_t) { ++orders; };
    const MemplanResult result = run_memplan(options);
    EXPECT_EQ(orders, 0u);
    EXPECT_EQ(algorithm == Algorithm::kNaive, result.height != scanned);
    EXPECT_EQ(result.stop, algorithm == Algorithm::kNaive ? Stop::kNone : Stop::kTimeLimit);
    EXPECT_FALSE(result.optimal);
    EXPECT_LT(result.lower_bound, result.height);
    EXPECT_EQ(std::count(result.solution_csv.begin(), result.solution_csv.end(), '\n'), 100'001);
  }
  fs::remove_all(folder);
}

TEST(SharedProblems, LargeArePlannedCloseToTheBound) {
  const char* folder = std::getenv("ARENITE_SHARED");
  const fs::path root = fs::path(folder != nullptr ? folder : ARENITE_SHARED_DIR) / "memplan/large";
  if (!fs::is_directory(root)) GTEST_SKIP() << "no shared planning problems in " << root;
  for (const fs::directory_entry& file : fs::directory_iterator(root)) {
    if (file.path().extension() != ".csv") continue;
    MemplanOptions options;
    options.problem_path = file.path().string();
    options.algorithm = "greedy_by_size";
    const MemplanResult result = run_memplan(options);
    EXPECT_LE(static_cast<double>(result.height), 1.02 * static_cast<double>(result.lower_bound))
        << options.problem_path;
    RecordProperty(file.path().stem().string() + "_seconds", std::to_string(result.seconds));
  }
}

}  // namespace
}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

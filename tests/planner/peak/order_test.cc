// Orders of steps: the best of all for small graphs, never worse than native for any.
#include "planner/steps/peak/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace arenite::planner {
namespace {

struct Size {
  uint32_t tasks, storages;
};

// Each task makes one storage and reads some made before; some storages are filled by two tasks.
OrderProblem random_problem(uint32_t seed, Size size) {
  std::mt19937 random(seed);
  const auto number = [&](uint32_t most) { return static_cast<uint32_t>(random() % (most + 1)); };
  OrderProblem problem;
  problem.storages.resize(size.storages + 1);
  problem.storages[0] = {number(50), true, number(3) == 0};
  std::vector<std::vector<uint32_t>> writers(problem.storages.size());
  for (uint32_t t = 0; t < size.tasks; ++t) {
    OrderTask task;
    task.scratch_bytes = number(3) == 0 ? number(40) : 0;
    const uint32_t made = 1 + std::min(t, size.storages - 1 - number(1) * (size.storages > 1));
    task.touches.push_back(made);
    problem.storages[made].bytes = 1 + number(100);
    for (uint32_t read = number(2) + 1; read > 0; --read) {
      const uint32_t s = number(std::min(made - 1, size.storages));
      if (std::find(task.touches.begin(), task.touches.end(), s) != task.touches.end()) continue;
      task.touches.push_back(s);
      for (const uint32_t writer : writers[s]) task.before.push_back(writer);
      if (number(1) == 0) task.savings.push_back({s, made, number(30)});
    }
    for (StepSaving& saving : task.savings) {
      saving.bytes = std::min({saving.bytes, problem.storages[saving.input].bytes,
                               problem.storages[saving.output].bytes});
    }
    std::sort(task.before.begin(), task.before.end());
    task.before.erase(std::unique(task.before.begin(), task.before.end()), task.before.end());
    writers[made].push_back(t);
    problem.tasks.push_back(std::move(task));
  }
  for (size_t s = 1; s < problem.storages.size(); ++s) {
    // Bytes were drawn last by the last writer: no saving may be larger.
    for (OrderTask& task : problem.tasks) {
      for (StepSaving& saving : task.savings) {
        saving.bytes = std::min({saving.bytes, problem.storages[saving.input].bytes,
                                 problem.storages[saving.output].bytes});
      }
    }
    problem.storages[s].to_end = number(5) == 0;
  }
  return problem;
}

bool respects(const OrderProblem& problem, const std::vector<uint32_t>& order) {
  std::vector<bool> done(problem.tasks.size());
  for (const uint32_t task : order) {
    for (const uint32_t before : problem.tasks[task].before) {
      if (!done[before]) return false;
    }
    done[task] = true;
  }
  return true;
}

std::vector<uint32_t> native_order(const OrderProblem& problem) {
  std::vector<uint32_t> order(problem.tasks.size());
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

TEST(Order, SmallGraphsGetTheBestOfAllOrders) {
  uint32_t lower = 0;
  for (uint32_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const OrderProblem problem = random_problem(seed, {7, 6});
    std::vector<uint32_t> order = native_order(problem);
    const uint64_t native = peak_of(problem, order);
    uint64_t best = native;
    do {
      if (respects(problem, order)) best = std::min(best, peak_of(problem, order));
    } while (std::next_permutation(order.begin(), order.end()));
    const TaskOrder found = lowest_peak_order(problem);
    EXPECT_EQ(found.peak_bytes, best);
    EXPECT_TRUE(found.exact);
    EXPECT_TRUE(respects(problem, found.tasks));
    EXPECT_EQ(peak_of(problem, found.tasks), found.peak_bytes);
    lower += best < native ? 1 : 0;
  }
  EXPECT_GT(lower, 10u) << "the problems are too easy";
}

TEST(Order, IsNeverWorseThanNativeHoweverLittleWorkIsAllowed) {
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const OrderProblem problem = random_problem(seed, {80, 70});
    const uint64_t native = peak_of(problem, native_order(problem));
    for (const uint64_t work : {uint64_t{0}, uint64_t{500}, uint64_t{20000}}) {
      const TaskOrder found = lowest_peak_order(problem, work);
      EXPECT_LE(found.peak_bytes, native);
      EXPECT_TRUE(respects(problem, found.tasks));
      EXPECT_EQ(peak_of(problem, found.tasks), found.peak_bytes);
      EXPECT_EQ(lowest_peak_order(problem, work).tasks, found.tasks) << "the same every time";
    }
  }
}

// Thousands of branches from one input, all ready at once: each widens and then narrows. Work that
// grew with their square would take minutes.
TEST(Order, VeryManyBranches) {
  constexpr uint32_t kBranches = 1500;
  OrderProblem problem;
  problem.storages.push_back({10, true, false});
  for (uint32_t b = 0; b < kBranches; ++b) {
    problem.storages.push_back({100, false, false});
    problem.tasks.push_back({{0, 1 + b}, {}, 0, {}});
  }
  for (uint32_t b = 0; b < kBranches; ++b) {
    problem.storages.push_back({1, false, true});
    problem.tasks.push_back({{1 + b, 1 + kBranches + b}, {b}, 0, {}});
  }
  const TaskOrder found = lowest_peak_order(problem);
  EXPECT_TRUE(respects(problem, found.tasks));
  EXPECT_EQ(found.peak_bytes, 10 + 100 + (kBranches - 1)) << "when the last one begins";
}

// Two branches from one input: each widens at once and then narrows, so that running both first
// steps before the second ones holds both wide values.
TEST(Order, FinishesABranchBeforeItBeginsTheNext) {
  OrderProblem problem;
  problem.storages = {{10, true, false},
                      {100, false, false},
                      {100, false, false},
                      {1, false, true},
                      {1, false, true}};
  problem.tasks = {
      {{0, 1}, {}, 0, {}}, {{0, 2}, {}, 0, {}}, {{1, 3}, {0}, 0, {}}, {{2, 4}, {1}, 0, {}}};
  const TaskOrder found = lowest_peak_order(problem);
  EXPECT_EQ(peak_of(problem, {0, 1, 2, 3}), 210u);
  EXPECT_EQ(found.peak_bytes, 111u);
  EXPECT_EQ(found.tasks, (std::vector<uint32_t>{0, 2, 1, 3}));
}

TEST(Order, SharedBytesCountOnlyWhereTheInputDies) {
  OrderProblem problem;
  problem.storages = {{10, true, false}, {10, false, false}, {10, false, true}};
  problem.tasks = {{{0, 1}, {}, 0, {{0, 1, 10}}}, {{1, 2}, {0}, 0, {{1, 2, 10}}}};
  EXPECT_EQ(peak_of(problem, {0, 1}), 10u);
  problem.tasks[1].touches.push_back(0);
  EXPECT_EQ(peak_of(problem, {0, 1}), 20u);
}

}  // namespace
}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

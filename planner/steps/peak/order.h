// Finds an order of steps in which few bytes live at once.
#pragma once

#include <cstdint>
#include <vector>

namespace arenite::planner {

// The saving of a step while it runs: its input dies at it and may lend bytes to its output, which
// is born at it.
struct StepSaving {
  uint32_t input = 0, output = 0;  // storages
  uint64_t bytes = 0;
};

struct OrderTask {
  std::vector<uint32_t> touches;  // storages that it reads or writes, each once
  std::vector<uint32_t> before;   // tasks that must have run, each of a smaller index
  uint64_t scratch_bytes = 0;
  std::vector<StepSaving> savings;  // the largest one that applies counts
};

// A storage lives from the first task that touches it to the last.
struct OrderProblem {
  struct Storage {
    uint64_t bytes = 0;
    bool from_start = false, to_end = false;
  };
  std::vector<Storage> storages;
  std::vector<OrderTask> tasks;  // in their native order
};

struct TaskOrder {
  std::vector<uint32_t> tasks;
  uint64_t peak_bytes = 0;
  bool exact = false;  // no order has a lower peak
};

// Most bytes that live at one task when they run in `order`.
uint64_t peak_of(const OrderProblem& problem, const std::vector<uint32_t>& order);

// The native order, or one of a lower peak: a search over the sets of tasks that may have run,
// level by level, each set with the lowest peak that leads to it (dynamic programming as in HMCOS
// and in Liberis and Lane, arXiv 1910.05110). Of each level as many sets are followed, the most
// promising first, as `work_max` tries of a task in all allow: graphs with few sets are searched
// exactly, the others as by a beam. Deterministic.
TaskOrder lowest_peak_order(const OrderProblem& problem, uint64_t work_max = 200000);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

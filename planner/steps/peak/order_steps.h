// The steps of a method as tasks that may run in another order.
#pragma once

#include <vector>

#include "planner/steps/lower/lower.h"
#include "planner/steps/peak/order.h"

namespace arenite::planner {

// The kernel steps of `schedule` as tasks: a step waits for those that write elements it reads or
// writes, or read elements it writes. View steps are no tasks: they only name bytes.
struct StepTasks {
  OrderProblem problem;
  std::vector<uint32_t> steps;  // by task: the step
};

StepTasks tasks_of(const Schedule& schedule);

// All steps with the tasks in `order`, each view step right behind the steps that fill its bytes.
std::vector<uint32_t> steps_in_order(const Schedule& schedule, const StepTasks& tasks,
                                     const std::vector<uint32_t>& order);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

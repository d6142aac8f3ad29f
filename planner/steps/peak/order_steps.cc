// A task waits for those that wrote what it reads, or read what it overwrites.
#include "planner/steps/peak/order_steps.h"

#include <algorithm>

#include "core/shape.h"
#include "planner/graph/form_tensor.h"

namespace arenite::planner {
namespace {

bool may_meet(const Operand& a, const Operand& b) {
  const auto offset = [](const Operand& operand) {
    return static_cast<uint32_t>(operand.form.offset * element_bytes(operand.dtype));
  };
  return !share_no_element(FormTensor(a.dtype, a.form).tensor(), offset(a),
                           FormTensor(b.dtype, b.form).tensor(), offset(b));
}

// An access of the tasks so far to one storage.
struct Access {
  uint32_t task;
  bool writes;
  const Operand* operand;
};

class TaskMaker {
 public:
  explicit TaskMaker(const Schedule& schedule) : schedule_(schedule) {
    result_.problem.storages.resize(schedule.storages.size());
    accesses_.resize(schedule.storages.size());
    for (size_t i = 0; i < schedule.storages.size(); ++i) {
      const Storage& storage = schedule.storages[i];
      result_.problem.storages[i].bytes = storage.shares_memory() ? storage.bytes : 0;
    }
    for (const uint32_t i : schedule.inputs) result_.problem.storages[i].from_start = true;
    for (const uint32_t i : schedule.outputs) result_.problem.storages[i].to_end = true;
  }

  StepTasks run() {
    for (uint32_t s = 0; s < schedule_.steps.size(); ++s) {
      if (!schedule_.steps[s].is_view()) add(s);
    }
    return std::move(result_);
  }

 private:
  void add(uint32_t s) {
    const ScheduledStep& step = schedule_.steps[s];
    OrderTask task;
    task.scratch_bytes = step.scratch_bytes;
    for (const std::optional<Operand>& operand : step.inputs) touch(operand, false, task);
    for (const std::optional<Operand>& operand : step.outputs) touch(operand, true, task);
    for (const StepCondition& condition : step.conditions) wait_for(condition.storage, task);
    for (auto* list : {&task.touches, &task.before}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    const auto self = static_cast<uint32_t>(result_.steps.size());
    std::erase(task.before, self);
    result_.steps.push_back(s);
    result_.problem.tasks.push_back(std::move(task));
  }

  // A condition is read before the step begins.
  void wait_for(uint32_t storage, OrderTask& task) {
    task.touches.push_back(storage);
    for (const Access& access : accesses_[storage]) {
      if (access.writes) task.before.push_back(access.task);
    }
  }

  void touch(const std::optional<Operand>& operand, bool writes, OrderTask& task) {
    if (!operand.has_value() || operand->constant) return;
    task.touches.push_back(operand->index);
    std::vector<Access>& before = accesses_[operand->index];
    for (const Access& access : before) {
      if ((writes || access.writes) && may_meet(*access.operand, *operand)) {
        task.before.push_back(access.task);
      }
    }
    before.push_back({static_cast<uint32_t>(result_.steps.size()), writes, &*operand});
  }

  const Schedule& schedule_;
  std::vector<std::vector<Access>> accesses_;  // by storage
  StepTasks result_;
};

}  // namespace

StepTasks tasks_of(const Schedule& schedule) { return TaskMaker(schedule).run(); }

std::vector<uint32_t> steps_in_order(const Schedule& schedule, const StepTasks& tasks,
                                     const std::vector<uint32_t>& order) {
  // For each storage: tasks still to run that write it. A view waits for those before it.
  std::vector<std::vector<uint32_t>> writers(schedule.storages.size());
  for (const uint32_t s : tasks.steps) {
    for (const std::optional<Operand>& operand : schedule.steps[s].outputs) {
      if (operand.has_value() && !operand->constant) writers[operand->index].push_back(s);
    }
  }
  std::vector<uint32_t> views;
  for (uint32_t s = 0; s < schedule.steps.size(); ++s) {
    if (schedule.steps[s].is_view()) views.push_back(s);
  }
  std::vector<bool> done(schedule.steps.size());
  std::vector<uint32_t> result;
  const auto add_views = [&] {
    std::erase_if(views, [&](uint32_t view) {
      for (const std::optional<Operand>& operand : schedule.steps[view].inputs) {
        if (!operand.has_value() || operand->constant) continue;
        for (const uint32_t s : writers[operand->index]) {
          if (s < view && !done[s]) return false;
        }
      }
      result.push_back(view);
      return true;
    });
  };
  add_views();
  for (const uint32_t task : order) {
    done[tasks.steps[task]] = true;
    result.push_back(tasks.steps[task]);
    add_views();
  }
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

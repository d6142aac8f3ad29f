// Runs the steps of an instance: kernels one by one, stretches of device steps together.
#include <bit>

#include "core/instance.h"
#include "core/pauses.h"
#include "core/verify.h"

namespace arenite {

using format::Where;

Status Instance::run() {
  next_step_ = 0;
  return run_steps(kNoIndex).status();
}

Result<RunState> Instance::run_steps(uint32_t count) {
  if (program_ == nullptr) {
    return error(Code::kNotLoaded);
  }
  if (unready_ != 0) {
    ARENITE_TRY(make_ready());
  }
  const auto steps = program_->steps_of(*variant_);
  uint32_t index = next_step_;
  next_step_ = 0;  // where an error or the end leaves it
  if (index == 0) {
    next_predicate_ = 0;
  }
  uint32_t ran = 0;
  while (index < steps.size()) {
    const auto where = static_cast<Where>(steps[index].where);
    if (where == Where::kView) {
      ++index;
      continue;
    }
    // Steps on a device run with their stretch, or are left out with it.
    if (predicates_ != nullptr && where == Where::kCpu) {
      const uint32_t needed = predicates_->first_needed(*this, next_predicate_, index);
      if (needed != index) {
        index = needed;
        continue;
      }
    }
    if (ran >= count) {
      next_step_ = index;
      return RunState::kMore;
    }
    uint32_t end = index + 1;
    Status status;
    if (where == Where::kCpu) {
      status = run_on_cpu(Step(bindings_, steps[index], index));
    } else {
      status = backend_.functions->run(*this, index, end);
    }
    if (platform_.pauses != nullptr) {
      platform_.pauses->functions->end_step(*platform_.pauses, status);
    }
    if (!status.ok()) {
      if (status.step == kNoIndex) {
        status.step = index;
      }
      return status;
    }
    ran += end - index;
    index = end;
  }
  if (states_ != nullptr) {
    states_->commit(*this);
  }
  return RunState::kDone;
}

// Looks at what a run waits for, which is memory of the caller and what states have become.
Status Instance::make_ready() {
  const uint32_t arenas = unready_ & ~kStatesWait;
  return arenas != 0 ? error(Code::kArenaMissing, static_cast<uint32_t>(std::countr_zero(arenas)))
                     : states_->growth->begin(*this);
}

Status Instance::run_on_cpu(const Step& step) const {
  if (platform_.profile != nullptr) {
    platform_.profile(platform_.context, ProfileEvent::kStepBegin, step.index());
  }
  Platform platform = platform_;
  if (step.serial()) {
    platform.parallel_for = nullptr;
  }
  const Status status = form_of(step)->run(step, platform);
  if (platform_.profile != nullptr) {
    platform_.profile(platform_.context, ProfileEvent::kStepEnd, step.index());
  }
  return status;
}

// Found: load has chosen a form for each CPU step, and would choose the same again.
const Form* Instance::form_of(const Step& step) const {
  const OpEntry& entry = *find_op(ops_, step.op());
  if (planned_) return find_form(entry, step.record().form);
  const FormTask task = form_task(bindings_, *program_, *variant_, ops_, features_);
  return verification_->choose(task, entry, step);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

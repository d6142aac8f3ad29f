// Checks the predicates of a program, and reads their conditions while it runs.
#include "core/predicate.h"

#include "core/instance.h"
#include "core/range.h"

namespace arenite {
namespace {

using format::ArenaKind;
using format::PredicateRecord;
using format::ValueRecord;

uint32_t variant_index(const PredicateTask& task) {
  return static_cast<uint32_t>(task.variant - task.program->variants().data());
}

uint32_t end_of(const PredicateRecord& predicate) {
  return predicate.first_step + predicate.step_count;
}

bool holds(const PredicateTask& task, const PredicateRecord& predicate) {
  const bool negated = (predicate.condition & format::kNegatedBit) != 0;
  const Tensor condition = tensor_of(*task.bindings, predicate.condition & ~format::kNegatedBit);
  return (*condition.read<uint8_t>() != 0) != negated;
}

// Whether all of them run on the CPU, or all on a device: one that skips steps of the CPU must not
// land in the middle of a device's.
bool on_one_side(const PredicateTask& task, const PredicateRecord& predicate) {
  const auto steps = task.program->steps_of(*task.variant);
  bool cpu = false, device = false;
  for (uint32_t s = predicate.first_step; s < end_of(predicate); ++s) {
    const auto where = static_cast<format::Where>(steps[s].where);
    cpu = cpu || where == format::Where::kCpu;
    device = device || where == format::Where::kVulkan || where == format::Where::kTransfer;
  }
  return cpu != device;
}

// Whether the CPU finds a bool there when the predicate's steps begin.
bool can_be_read(const PredicateTask& task, const PredicateRecord& predicate) {
  const ValueRecord& value =
      task.program->values_of(*task.variant)[predicate.condition & ~format::kNegatedBit];
  const auto kind =
      static_cast<ArenaKind>(task.program->arenas_of(*task.variant)[value.place].kind);
  return value.dtype == static_cast<uint8_t>(DType::kBool) && value.bytes != 0 &&
         kind != ArenaKind::kDevice && value.first_step <= predicate.first_step &&
         value.last_step >= predicate.first_step;
}

Status check(const PredicateTask& task) {
  const auto predicates = task.program->predicates();
  const auto variants = task.program->variants();
  const uint32_t own = variant_index(task);
  const PredicateRecord* before = nullptr;
  for (uint32_t i = 0; i < predicates.size(); ++i) {
    const PredicateRecord& predicate = predicates[i];
    const bool follows =
        before == nullptr || before->variant < predicate.variant ||
        (before->variant == predicate.variant && before->first_step <= predicate.first_step);
    before = &predicate;
    if (!follows || predicate.variant >= variants.size()) {
      return error(Code::kBadIndex, i);
    }
    const format::VariantRecord& variant = variants[predicate.variant];
    if (!within(predicate.first_step, predicate.step_count, variant.step_count) ||
        (predicate.condition & ~format::kNegatedBit) >= variant.value_count) {
      return error(Code::kBadIndex, i);
    }
    if (predicate.variant == own &&
        (!on_one_side(task, predicate) || !can_be_read(task, predicate))) {
      return error(Code::kBadValue, i);
    }
  }
  return ok_status();
}

// Tells the profiler, if there is one, of the steps that do something.
void leave_out(const Instance& instance, uint32_t first, uint32_t end) {
  const Platform& platform = instance.platform();
  if (platform.profile == nullptr) {
    return;
  }
  const auto steps = instance.program().steps_of(instance.variant());
  for (; first < end; ++first) {
    if (static_cast<format::Where>(steps[first].where) != format::Where::kView) {
      platform.profile(platform.context, ProfileEvent::kStepLeftOut, first);
    }
  }
}

uint32_t first_needed(const Instance& instance, uint32_t& next, uint32_t step) {
  const PredicateTask task = {&instance.program(), &instance.variant(), &instance.bindings()};
  const auto predicates = task.program->predicates();
  const uint32_t own = variant_index(task);
  for (; next < predicates.size(); ++next) {
    const PredicateRecord& predicate = predicates[next];
    if (predicate.variant < own) {
      continue;
    }
    if (predicate.variant > own || predicate.first_step > step) {
      break;
    }
    if (end_of(predicate) > step && !holds(task, predicate)) {
      leave_out(instance, step, end_of(predicate));
      step = end_of(predicate);
    }
  }
  return step;
}

}  // namespace

// A stretch is left out where one condition is known not to hold, whatever the others are: these
// may be computed by stretches that have been left out themselves.
Need need_of(const Instance& instance, uint32_t& next, StepRange stretch, uint32_t pending) {
  const PredicateTask task = {&instance.program(), &instance.variant(), &instance.bindings()};
  const auto predicates = task.program->predicates();
  const auto values = task.program->values_of(*task.variant);
  const auto arenas = task.program->arenas_of(*task.variant);
  const uint32_t own = variant_index(task);
  const auto is_over = [&](const PredicateRecord& predicate) {
    return predicate.variant < own ||
           (predicate.variant == own && end_of(predicate) <= stretch.first);
  };
  while (next < predicates.size() && is_over(predicates[next])) {
    ++next;
  }
  Need found = Need::kRun;
  for (uint32_t i = next; i < predicates.size(); ++i) {
    const PredicateRecord& predicate = predicates[i];
    if (predicate.variant != own || predicate.first_step > stretch.first) {
      break;
    }
    if (end_of(predicate) < stretch.last) {
      continue;
    }
    const ValueRecord& value = values[predicate.condition & ~format::kNegatedBit];
    // The CPU makes conditions that lie elsewhere, or the caller gives them.
    const bool is_made = static_cast<ArenaKind>(arenas[value.place].kind) == ArenaKind::kReadback;
    if (is_made && value.first_step >= pending) {
      found = Need::kUnknown;
    } else if (!holds(task, predicate)) {
      leave_out(instance, stretch.first, stretch.last);
      return Need::kLeaveOut;
    }
  }
  return found;
}

bool is_needed(const PredicateTask& task, uint32_t step) {
  if (task.program == nullptr) {
    return true;
  }
  const uint32_t own = variant_index(task);
  for (const PredicateRecord& predicate : task.program->predicates()) {
    if (predicate.variant == own && predicate.first_step <= step && end_of(predicate) > step &&
        !holds(task, predicate)) {
      return false;
    }
  }
  return true;
}

constinit const PredicateFunctions kPredicates{check, first_needed};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

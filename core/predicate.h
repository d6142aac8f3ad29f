// Predicates: stretches of steps that a run leaves out where a condition does not hold. A program
// has them linked by LoadOptions::predicates; without, it is refused.
#pragma once

#include <cstdint>

#include "core/backend.h"
#include "core/program.h"

namespace arenite {

// One variant of a program, bound to memory.
struct PredicateTask {
  const Program* program = nullptr;
  const format::VariantRecord* variant = nullptr;
  const Bindings* bindings = nullptr;
};

struct PredicateFunctions {
  // Whether the predicates of all variants name steps that there are, in order, and those of this
  // one steps of the CPU or of a device alone, and conditions that the CPU can read where they
  // begin: a bool that lives then. Errors: kBadIndex, kBadValue (value = the predicate's record).
  Status (*check)(const PredicateTask& task);
  // The first step from `step` on that a run has to make, or the number of steps; tells the
  // profiler of those that it leaves out. `next`: the first predicate that has not been looked at,
  // 0 at the begin of a run; it moves on.
  uint32_t (*first_needed)(const Instance& instance, uint32_t& next, uint32_t step);
};

// Constant where it is defined.
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers)
extern const PredicateFunctions kPredicates;

// Whether a run needs a stretch of device steps. kUnknown: a condition that decides it is computed
// by what has yet to run.
enum class Need : uint8_t { kRun, kLeaveOut, kUnknown };

// Whether some predicate that holds all of a stretch leaves it out; tells the profiler if so. Steps
// from `pending` on have yet to run. `next`: as for first_needed. The instance has predicates.
Need need_of(const Instance& instance, uint32_t& next, StepRange stretch, uint32_t pending);

// Whether the conditions of all predicates that a step lies in hold. For predicates that have been
// checked, when the conditions have been computed; without a program there are none.
bool is_needed(const PredicateTask& task, uint32_t step);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Predicates: stretches of steps that a run leaves out where a condition does not hold. A program
// has them linked by LoadOptions::predicates; without, it is refused.
#pragma once

#include <cstdint>

#include "core/platform.h"
#include "core/program.h"

namespace arenite {

// One variant of a program, bound to memory.
struct PredicateTask {
  const Program* program = nullptr;
  const format::VariantRecord* variant = nullptr;
  const Bindings* bindings = nullptr;
  const Platform* platform = nullptr;  // of a run: is told of steps that it leaves out
};

struct PredicateFunctions {
  // Whether the predicates of all variants name steps that there are, in order, and those of this
  // one steps of the CPU or of a device alone, and conditions that the CPU can read where they
  // begin: a bool that lives then.
  // `next` becomes the index of the variant's first one. Errors: kBadIndex, kBadValue (value = the
  // predicate's record).
  Status (*check)(const PredicateTask& task, uint32_t& next);
  // The first step from `step` on that has to run, or the number of steps. `next`: the first
  // predicate whose steps have not begun; it moves on.
  uint32_t (*first_needed)(const PredicateTask& task, uint32_t& next, uint32_t step);
};

// Constant where it is defined.
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers)
extern const PredicateFunctions kPredicates;

// Whether the conditions of all predicates that a step lies in hold. For predicates that have been
// checked, when the conditions have been computed; without a program there are none.
bool is_needed(const PredicateTask& task, uint32_t step);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

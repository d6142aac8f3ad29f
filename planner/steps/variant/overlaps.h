// Finds which outputs may take bytes of an input that dies at their step, and marks those that do.
#pragma once

#include <cstdint>
#include <vector>

#include "core/form.h"
#include "planner/memory/problem/problem.h"
#include "planner/steps/lower/constants.h"
#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {

struct OverlapPasses {
  bool in_place = true;  // element by element, in the very place of an input of the same form
  bool partial_overlap = true;  // at the safe distance that the form states (arXiv 2010.01668)
  bool serial_steps = true;     // also where only one thread may then run the step
  bool moving_parts = true;     // also what does not begin where its storage does
};

// One storage that dies at a step and the storage of the step's first output, born there.
struct OverlapPermission {
  uint32_t step = 0;
  memory::Overlap overlap;  // of storages
  // Whether the very place `safe_bytes` behind the output is right on any number of threads; on a
  // device, and where `safe_bytes` is less than `serial_safe_bytes`, no other distance is.
  bool in_place = false;
  int64_t serial_safe_bytes = 0;  // right on one CPU thread from here on; INT64_MAX: never
};

enum class StepOrder : uint8_t {
  kPlanned,  // storages are born and die as their lifetimes say
  kAny,      // a step may be the first or the last that uses a storage
};

// Storages have lifetimes. Inputs with `keep_inputs`, outputs of the method and constants yield to
// nobody; nor does what a step also writes.
std::vector<OverlapPermission> find_overlaps(const Schedule& plan, const ConstantPool& pool,
                                             const OverlapPasses& passes, bool keep_inputs,
                                             StepOrder order = StepOrder::kPlanned);

// Returns offset(input) - offset(output) of a permission's storages, or nothing if they share no
// byte.
std::optional<int64_t> shared_distance(const Schedule& plan, const OverlapPermission& permission);

// Whether the storages' places keep to the permission: they share nothing, or what is right.
bool is_kept(const Schedule& plan, const OverlapPermission& permission);

// Storages have been placed, with these permissions and kept to them. Marks those that yield and
// the steps that must then run on one thread.
void mark_overlaps(Schedule& plan, const std::vector<OverlapPermission>& permissions);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

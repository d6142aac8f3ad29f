// Makes a variant of steps whose machines are decided, with the transfers between these.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/capabilities.h"
#include "kernels/dispatch/dispatch.h"
#include "planner/steps/lower/constants.h"
#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {

// What carries out a step of a Vulkan variant, and the scratch memory that it gets.
struct StepWork {
  DispatchPlan dispatches;     // of a step on the device
  uint32_t scratch_bytes = 0;  // on either machine
  // Conditions without which the device leaves the step out, in stretches of steps with the same
  // ones; storages are those of the schedule that is parted.
  std::vector<StepCondition> guards = {};
  bool early = false;   // on the CPU: follows from inputs alone, and comes before all others
  bool halves = false;  // on the device, which keeps its floats in 16 bits (halves.h)
};

// Every step on the CPU, which gets its scratch memory.
Schedule cpu_variant(Schedule schedule);

// Leaves the inputs and outputs of a CPU variant to the caller, but for inputs that are states.
void leave_io_to_caller(Schedule& schedule);

// Storages with parts that vulkan_variant cannot place: both machines would write some of them, or
// a shader would write one in bytes among those of another that it reads. The two are different
// bytes, but nobody else can see that: validation layers report it. With `any_size` parts lie
// elsewhere at other sizes, so that none may be written beside one that is read.
std::vector<uint32_t> storages_shared_badly(const Schedule& schedule, bool any_size);

// Gives each machine the storages that its steps use, and both their scratch memory. Inputs are
// written to upload memory, where the CPU copies states from their own, and outputs read from
// readback memory. A transfer copies a value to the other side right before its first use there, or
// before the stretch of steps with guards that it lies in; outputs after the last step. Floats that
// the device keeps in 16 bits have a storage of their own there, and casts between the two. `work`:
// of each step; `forms` are those of the CPU's copies. Nothing if no step is on Vulkan.
std::optional<Schedule> vulkan_variant(const Schedule& schedule, std::span<const StepWork> work,
                                       const TargetForms& forms, ConstantPool& pool);

// How the steps of a schedule are carried out: those on Vulkan as suits `device`. `others`: the
// same steps with other dims, which they do in the same way. Steps that the device does not do in
// one way for all are added to `not_done`. Floats are kept in 16 bits where storages allow it, the
// device has elements of that size, and a shader does the step so.
std::vector<StepWork> work_of(const Schedule& schedule, std::span<const Schedule> others,
                              ConstantPool& pool, const Capabilities& device,
                              std::vector<uint32_t>& not_done);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Makes a variant of steps whose machines are decided, with the transfers between these.
#pragma once

#include "planner/steps/lower/constants.h"
#include "planner/steps/schedule/schedule.h"

namespace arenite::planner {

// Every step on the CPU, which gets its scratch memory.
Schedule cpu_variant(Schedule schedule);

// Leaves the inputs and outputs of a CPU variant to the caller, but for inputs that are states.
void leave_io_to_caller(Schedule& schedule);

// Storages with parts that vulkan_variant cannot place: both machines would write some of them, or
// a shader would write one in bytes among those of another that it reads. The two are different
// bytes, but nobody else can see that: validation layers report it.
std::vector<uint32_t> storages_shared_badly(const Schedule& schedule);

// Gives each machine the storages that its steps use, and both their scratch memory. Inputs are
// written to upload memory, where the CPU copies states from their own, and outputs read from
// readback memory. A transfer copies a value to the other side right before its first use there,
// outputs after the last step. Vulkan steps are carried out as suits `device`, which does each of
// them; `forms` are those of the CPU's copies. Nothing if no step is on Vulkan.
std::optional<Schedule> vulkan_variant(const Schedule& schedule, const ConstantPool& pool,
                                       const Capabilities& device, const TargetForms& forms);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

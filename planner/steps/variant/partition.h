// Makes a variant of steps whose machines are decided, with the transfers between these.
#pragma once

#include "planner/steps/variant/variant.h"

namespace arenite::planner {

// Every step on the CPU.
VariantPlan cpu_variant(const Lowered& lowered);

// Leaves the inputs and outputs of a CPU variant to the caller.
void leave_io_to_caller(VariantPlan& plan);

// Storages with parts that vulkan_variant cannot place: both machines would write some of them, or
// a shader would write one in bytes among those of another that it reads. The two are different
// bytes, but nobody else can see that: validation layers report it.
std::vector<uint32_t> storages_shared_badly(const Lowered& lowered,
                                            const std::vector<format::Where>& where);

// Puts each step on its machine. Inputs are written to upload memory and outputs read from readback
// memory. A transfer copies a value to the other side right
// before its first use there, outputs after the last step. Vulkan steps are carried out as suits
// `device`, which does each of them. Nothing if no step goes to Vulkan.
std::optional<VariantPlan> vulkan_variant(const Lowered& lowered, const ConstantPool& pool,
                                          const std::vector<format::Where>& where,
                                          const Capabilities& device);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

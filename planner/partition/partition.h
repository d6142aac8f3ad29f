// Says which machine runs each step, and puts in the transfers between them.
#pragma once

#include <functional>

#include "planner/partition/variant.h"

namespace arenite::planner {

// Every step on the CPU.
VariantPlan cpu_variant(const Lowered& lowered);

// Leaves the inputs and outputs of a CPU variant to the caller.
void leave_io_to_caller(VariantPlan& plan);

// Whether shaders carry out a step.
using ShaderSupport = std::function<bool(const Step& step)>;

// Steps that shaders support on Vulkan, the others on the CPU. Inputs are written to upload memory
// and outputs read from readback memory; what crosses over is copied by a transfer right before its
// first use on the other side, outputs after the last step. Nothing when no step can go to Vulkan.
std::optional<VariantPlan> vulkan_variant(const Lowered& lowered, const ConstantPool& pool,
                                          const ShaderSupport& supported);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Turns a checked step into the compute dispatches that carry it out: the planner counts them, vk/
// records them.
#pragma once

#include <optional>
#include <span>

#include "core/capabilities.h"
#include "core/step.h"
#include "kernels/dispatch/command.h"
#include "kernels/dispatch/row_fit.h"

namespace arenite {

// The best way to carry out a step on a device; nothing where its shaders don't do it. Looks at
// types, ranks, layouts and sizes; the step keeps its op's contract, and what its record says of
// form, choice and scratch is not looked at.
std::optional<DispatchPlan> plan_dispatches(const Step& step, const Capabilities& device);

// The same for a step whose dims may differ from run to run: one form and choice for all of
// `sizes`, as suits the first best, with scratch for the size that needs most.
std::optional<DispatchPlan> plan_dispatches(std::span<const Step> sizes,
                                            const Capabilities& device);

// Whether the form and choice that the step's record names do the step on some device.
bool is_carried_out(const Step& step);

// Hands the step's dispatches to the sink, in order: those of its form and choice. kUnsupported
// where is_carried_out is false. A step with no elements to compute has none.
Status emit_dispatches(const Step& step, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Whether the form of one row does one step, and with which choice and scratch.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/capabilities.h"
#include "core/step.h"
#include "kernels/dispatch/rules.h"

namespace arenite {

// A step's work for shaders: the form that its record names, its choice, and bytes of scratch.
struct DispatchPlan {
  uint8_t form = 0;
  uint32_t choice = 0;
  uint64_t scratch_bytes = 0;
};

// The row's way to carry out a step on a device; nothing where it doesn't do it. What the step's
// record says of form, choice and scratch is not looked at.
std::optional<DispatchPlan> plan_by(const DispatchRow& row, const Step& step,
                                    const Capabilities& device);

// This choice of the row for all of `sizes`, which are one step with several dims, with scratch for
// the size that needs most; nothing where it doesn't do some.
std::optional<DispatchPlan> fit_to(const DispatchRow& row, std::span<const Step> sizes,
                                   const Capabilities& device, uint32_t choice);

// Whether the row does the step with the choice and scratch that its record names, on some device.
bool carries_out(const DispatchRow& row, const Step& step);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

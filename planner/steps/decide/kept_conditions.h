// Leaves conditions to the CPU that it can know without waiting for a device.
#pragma once

#include <span>

#include "planner/steps/decide/assignment.h"
#include "planner/steps/decide/options.h"

namespace arenite::planner {

// `choice` is of the steps that `options` and `laid` are of, in order. A step that makes the single
// bool by which others choose, or one that such a bool follows from, goes to the CPU where all that
// it reads is the caller's or comes from the CPU so. Costs that are measured stand.
void keep_on_cpu(std::span<const StepOptions> options, const LaidGraph& laid,
                 assignment::Choice& choice);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

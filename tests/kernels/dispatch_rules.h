// What every dispatch must obey, whatever the step: limits, agreement with the shader table.
#pragma once

#include <string>
#include <vector>

#include "kernels/dispatch/dispatch.h"

namespace arenite::test {

// All dispatches of a step; throws std::runtime_error where emit_dispatches fails.
std::vector<Dispatch> dispatches_of(const Step& step);

// The first thing wrong with any of them, in words; empty when nothing is.
std::string fault_of(const Step& step, const std::vector<Dispatch>& dispatches);

}  // namespace arenite::test
// SPDX-License-Identifier: Apache-2.0

// States of a method as bytes that outlive the process: what was kept between runs, with the name,
// type and dims of each.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tools/run/runner.h"

namespace arenite::tools {

std::vector<std::byte> save_states(Runner& runner);

// Gives each state of the method what was saved of the state of its name, by whatever plan and
// device. Throws InputError, and changes nothing, where the bytes are damaged or are not of the
// method's states.
void load_states(Runner& runner, std::span<const std::byte> saved);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

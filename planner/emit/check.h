// Loads every variant of a program as a device would, before the program is handed out.
#pragma once

#include <cstddef>
#include <span>

namespace arenite::planner {

// Opens the program, checks its constants and loads each variant with all kernels, host memory and
// a backend that only has memory. Throws std::logic_error when the loader refuses something: then
// the planner, not its input, is wrong. `file` must be 64-aligned.
void check_program(std::span<const std::byte> file);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Keeps one board's part of a program.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace arenite::planner {

// The program with only the variants planned for `board`, and only the constants these read; names,
// source map and test vectors stay. Throws InputError when the file is no program, or some method
// was not planned for that board: then lists the boards it was planned for.
std::vector<std::byte> strip(std::span<const std::byte> file, const std::string& board);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

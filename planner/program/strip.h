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
// `constants`: the file of its constants where it has them in another; they stay there.
std::vector<std::byte> strip(std::span<const std::byte> file, const std::string& board,
                             std::span<const std::byte> constants = {});

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

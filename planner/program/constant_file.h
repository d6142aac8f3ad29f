// Moves the constants of a program into a file of their own, which several programs can share.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace arenite::planner {

// Named by what it holds: equal constants make equal files.
struct ConstantFile {
  std::string name;  // "0123456789abcdef.arnc": the digest of the content
  std::vector<std::byte> bytes;
};

struct SplitProgram {
  std::vector<std::byte> program;
  std::optional<ConstantFile> constants;  // nothing: the program has no constants of its own
};

// The same program with its constants in a file. Throws InputError for what is no program.
SplitProgram split_constants(std::span<const std::byte> program);

// The same program with a last section of `bytes` zeros, for a signature of all bytes before it.
std::vector<std::byte> with_signature(std::span<const std::byte> program, uint32_t bytes);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

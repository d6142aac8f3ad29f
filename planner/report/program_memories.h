// Whether the memories that images keep programs and code in hold what a plan puts there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/board/board.h"
#include "planner/program/tables.h"
#include "planner/report/report.h"

namespace arenite::planner {

// The bytes that a board's part of a program puts into its program memories.
struct BoardProgram {
  std::span<const std::byte> file;  // of that board alone
  std::vector<std::string>
      forms;  // forms_of(file, features); none where no toolchain is asked about them
  std::vector<ShortTensor> constants;  // that its steps read, largest first
};

// The constants that the variants of one board read, largest first, each content once.
std::vector<ShortTensor> constants_of(std::span<const PlannedMethod> methods,
                                      const std::string& board, const ConstantPool& pool);

// The image that is asked about, "embedded" or "harness" ("": every one that the board has), and
// what its code takes where the user says so.
struct ImageCode {
  std::string image;
  std::optional<uint64_t> assumed_bytes;
};

// Adds a row for each program memory of the board that serves the image, and a shortage for each
// that is too small. If neither the user nor a table of the board's toolchain says how large the
// code is, it is not counted.
void add_program_memories(const Board& board, const ImageCode& code, const BoardProgram& program,
                          PlanReport& report);

// The forms that an image for CPUs with these features holds: their keys
// (portable_fallback/form_names.h).
std::vector<std::string> forms_of(std::span<const std::byte> file, CpuFeatures features);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

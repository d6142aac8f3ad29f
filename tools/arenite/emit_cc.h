// --emit-cc of `arenite plan`: a program as C++ source in a folder.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "planner/board/board.h"

namespace arenite::tools {

struct EmitCc {
  std::string folder;         // empty: nothing is emitted
  std::string name;           // empty: from the model's file name
  std::string data = "auto";  // or array, incbin
};

// Writes NAME.h, NAME.cc, NAME_c.h, NAME_c.cc, NAME.ld and NAME.sources, and NAME.arn where the
// source does not hold the bytes. Throws InputError for a bad name, OutputError.
void emit_cc(const EmitCc& options, const std::string& model, const planner::Board& board,
             std::span<const std::byte> program);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

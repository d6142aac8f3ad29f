// Says what does not fit and what would help, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner/report/report.h"

namespace arenite::planner {

// The error message: what is short of how much, a line or more each.
std::string text_of(const std::vector<Shortage>& shortages);

// A sentence each: the least memory that would do, whether any plan could do with the present size,
// and what else would help.
std::vector<std::string> advice_of(const Shortage& shortage);

// Each message with its advice below, a line each and indented; lines end in '\n'.
std::string explained_text(const std::vector<Shortage>& shortages);

// [{"board", "memory", "memory_bytes", "needed_bytes", "short_by", "step", "step_name",
// "tensors": [{"name", "shape", "bytes"}], "impossible", "least_bytes", "least_is_proved",
// "advice"}]; step and step_name are null for a program memory.
nlohmann::ordered_json shortages_json(const std::vector<Shortage>& shortages);

// The contents of a program memory: "program 18936 bytes, code 28328 bytes (estimate)".
std::string contents_text(const ProgramMemoryReport& row);

// [{"board", "name", "image", "base", "size_bytes", "program_bytes", "code_bytes",
// "code_is_estimate", "code_is_assumed", "reserved_bytes", "used_bytes", "free_bytes",
// "short_bytes"}]; code_bytes is null where none lies there, or how much is unknown.
nlohmann::ordered_json program_memories_json(const std::vector<ProgramMemoryReport>& rows);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

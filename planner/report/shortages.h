// Says what does not fit and what would help, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner/schedule/shortage.h"

namespace arenite::planner {

// The error message: what is short of how much, a line or more each.
std::string text_of(const std::vector<Shortage>& shortages);

// The least memory that would do, whether any plan could do with what there is, and what else would
// help: a sentence each.
std::vector<std::string> advice_of(const Shortage& shortage);

// The same of all, an indented line each; lines end in '\n'.
std::string advice_text(const std::vector<Shortage>& shortages);

// [{"board", "memory", "memory_bytes", "needed_bytes", "short_by", "step", "step_name",
// "tensors": [{"name", "shape", "bytes"}], "impossible", "least_bytes", "least_is_proved",
// "advice"}]; step and step_name are null for a program memory.
nlohmann::ordered_json shortages_json(const std::vector<Shortage>& shortages);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Reads what goes with a planning problem from JSON: the memories of a target, and constraints.
#pragma once

#include <string_view>
#include <vector>

#include "planner/memory/problem/problem.h"
#include "planner/memplan/constraints.h"

namespace arenite::memory {

// Reads {"memories":[{"name":"fast","bytes":4096,"alignment":16,"read_cost":1,"write_cost":1,
// "base":0}, ...]}, fastest first. `name` and `bytes` are needed (null bytes: no limit); the others
// default to 1, `base` to 0. Whole numbers may be text, as parse_bytes reads it. Throws InputError,
// beginning with `file_name`, that says which memory and key.
std::vector<Memory> read_memories(std::string_view json_text, std::string_view file_name);

// Reads {"constraints": [...]}. Throws InputError with `file_name` and the number of the entry
// (the first is 1) for what is no such file: an unknown or missing key, a wrong type, an entry that
// asks for nothing or for two things that exclude each other.
Constraints read_constraints(std::string_view json_text, std::string_view file_name);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

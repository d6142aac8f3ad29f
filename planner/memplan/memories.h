// Reads the memories of a target from JSON, fastest first.
#pragma once

#include <string_view>
#include <vector>

#include "planner/memory/problem.h"

namespace arenite::memory {

// Reads {"memories":[{"name":"fast","bytes":4096,"alignment":16,"read_cost":1,"write_cost":1,
// "base":0}, ...]}. `name` and `bytes` are needed (null bytes: no limit); the others default to 1,
// `base` to 0. Whole numbers may be text, as parse_bytes reads it. Throws InputError, beginning
// with `file_name`, that says which memory and key.
std::vector<Memory> read_memories(std::string_view json_text, std::string_view file_name);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// What `arenite memplan` reads, be it to plan or to check.
#pragma once

#include <string>
#include <string_view>

#include "planner/memplan/csv.h"
#include "planner/memplan/memplan.h"

namespace arenite::memory {

// Throws InputError for options that are none or exclude each other.
void check_options(const MemplanOptions& options);

// The text of a file in CSV; throws InputError for what is none by its first bytes.
std::string read_csv_text(const std::string& path);

// The problem with the memories and constraints that the options name. Throws InputError.
CsvProblem read_memplan_problem(const MemplanOptions& options, std::string_view text,
                                Placements placements);

// What the problem tells of itself.
void describe_problem(const MemplanOptions& options, const CsvProblem& input,
                      MemplanResult& result);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Solutions in CSV: what a file says of where buffers lie, and a plan beside the columns read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/memory/problem/verify.h"
#include "planner/memplan/csv.h"

namespace arenite::memory {

// One thing that is wrong with a solution.
struct Fault {
  std::string kind;                // "missing placement", or another of name_of(Violation)
  std::string message;             // in English, without the file's name and row
  std::size_t row = 0;             // in the solution's file; 0: nowhere
  std::size_t other_row = 0;       // of the second buffer, where there is one
  std::optional<uint32_t> buffer;  // of the problem, by index
  std::optional<uint32_t> other;   // the second one
  std::optional<uint32_t> step;    // of an overlap: the first at which the two meet
  std::string id;                  // of the buffer, or what stands in its place
};

struct CsvSolution {
  Solution solution;              // a placement for each buffer; kNoMemory: it has none
  std::vector<std::size_t> rows;  // the row of each buffer; 0: it has none
  std::vector<Fault> faults;      // in the order of the rows, then of the buffers without one
  std::vector<std::string> notes;
};

// Needs the columns `id` and `offset` (or other tools' names for them), and with several memories
// `memory`. Rows may be in any order. Other columns do not matter, but where sizes or lifetimes are
// not the problem's a note tells. Throws InputError with the file's name for what is no such table;
// whatever is wrong with a row is a fault.
CsvSolution read_solution(std::string_view text, std::string_view file_name,
                          const CsvProblem& problem);

// The input's columns by our names, then `memory` (the placement's, by name) if asked for, then
// `offset`. Input columns of these names are replaced.
std::string write_csv(const CsvProblem& input, const Solution& solution, bool with_memory);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Reads planning problems from CSV.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/memory/problem/check.h"
#include "planner/memplan/csv_table.h"

namespace arenite::memory {

// A problem as read, with the text of its cells so that a solution can keep the input's columns.
struct CsvProblem {
  CheckedProblem checked;
  std::vector<std::string> header;           // our names of the columns
  std::vector<CsvRow> rows;                  // one a buffer, in the buffers' order
  std::vector<std::string> unknown_columns;  // kept as text

  const Problem& problem() const { return checked.problem(); }
};

// The meaning of the columns `offset` and `memory`.
enum class Placements {
  kFixed,  // buffers have to be there
  kTold,   // they were put there, by a solution: of no concern to the problem
};

// Reads one problem. The first row names the columns, in any order; docs/memplan.md tells more:
//   id           (or buffer, buffer_id) unique, not empty
//   lower,upper  (or begin or start for lower) steps, half open: the buffer lives at lower ..
//                upper - 1
//   end          in place of upper, inclusive: the buffer lives at lower .. end
//   size         bytes
//   alignment    (optional) bytes, empty: 1
//   reads,writes (optional) how often the whole buffer is read and written, empty: 0
//   mem          (optional) ';'-separated names of the memories it may live in, empty: all
//   gaps         (optional) space-separated FROM-TO, TO as upper or end is: steps at which it holds
//                no data; with @BEGIN:END, half open, the bytes that stay in use (struct Gap)
//   group,rel_offset  (optional, together) buffers of one group keep their distances: each lies
//                `rel_offset` bytes (empty: 0) from a common origin. Views, slices, parts of a
//                concatenation. The first buffer with the smallest rel_offset becomes the others'
//                base (Buffer::relative); relatives may share bytes; empty: in no group
//   overlaps     (optional) space-separated OUTPUT_ID:LEAD, LEAD may be negative: this buffer may
//                share bytes with that one, born when this one dies (struct Overlap)
//   offset       (optional) bytes: it is placed there; empty: it is not placed yet
//   memory       (optional) the memory that it is placed in, or has to be placed in; empty: any.
//                With several memories an offset needs it
//   hint         (optional) kept as text
// Others are kept as text. Throws InputError with `name` and the row number in the file (the header
// is row 1) for a repeated or missing column, a wrong number of columns, a malformed cell, a
// negative, zero-length or overflowing figure, a repeated id, an unknown memory, a group whose
// buffers no memory is allowed to all or whose distances break an alignment or offsets, an overlap
// with an unknown buffer or one not born when this one dies. `memories` become the problem's; at
// least one is needed.
CsvProblem read_csv(std::string_view text, std::string_view name, std::span<const Memory> memories,
                    Placements placements = Placements::kFixed);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

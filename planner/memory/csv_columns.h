// The columns of problems and solutions in CSV: their names, and other tools' names for them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "planner/memory/csv_table.h"

namespace arenite::memory {

enum class Column : std::size_t {
  kId,
  kLower,
  kUpper,
  kEnd,
  kSize,
  kAlignment,
  kReads,
  kWrites,
  kMem,
  kGaps,
  kGroup,
  kRelOffset,
  kOverlaps,
  kHint,
  kMemory,
  kOffset,
};

inline constexpr std::size_t kColumnCount = 16;

std::string_view name_of(Column column);

// Where the known columns of a file are, and which others it has.
class Columns {
 public:
  // Throws InputError for a header that names no known column, for a column without a name, and for
  // one that is there twice, be it by its
  // other name: `buffer` and `buffer_id` for id, `begin` and `start` for lower (minimalloc's).
  Columns(const CsvTable& table, std::string_view file_name);

  bool has(Column column) const { return place(column) != kAbsent; }
  // Its number in the file, from 0; above all where the file does not have it.
  std::size_t place(Column column) const { return place_[static_cast<std::size_t>(column)]; }
  // Of a column that the file has.
  const std::string& cell(const CsvRow& row, Column column) const {
    return row.cells[place(column)];
  }

  // The header with our names, and the columns that are none of ours.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& unknown() const { return unknown_; }

 private:
  static constexpr std::size_t kAbsent = SIZE_MAX;

  std::array<std::size_t, kColumnCount> place_;
  std::vector<std::string> names_;
  std::vector<std::string> unknown_;
};

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// CSV files as tables of cells, and the columns that problems and solutions have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace arenite::memory {

struct CsvRow {
  std::size_t number = 0;  // in the file, blank lines counted; the header of a file is row 1
  std::vector<std::string> cells;
};

struct CsvTable {
  CsvRow header;
  std::vector<CsvRow> rows;
};

// Cells are separated by commas, blanks around them do not count, and neither do blank lines and a
// byte order mark. A cell in double quotes may hold commas, and quotes written twice (RFC 4180, but
// for line breaks). Rows may have any number of cells: see width_error. Throws InputError with
// `file_name` and the row.
CsvTable read_table(std::string_view text, std::string_view file_name);

// "expected 4 columns as in the header, found 3", or "" where the row has as many.
std::string width_error(const CsvTable& table, const CsvRow& row);

// Reads a whole number from 0 to `max`; returns what is wrong with the cell, or "": "'8k' is not a
// whole number".
std::string read_whole(std::string_view cell, uint64_t max, uint64_t& value);

// The header as it stands, for messages: no more than the beginning of a long one.
std::string header_text(const CsvTable& table);

// Cells separated by commas, quoted where they have to be, without a line break at the end.
std::string csv_line(const std::vector<std::string>& cells);

// `text` without blanks at its ends.
std::string_view trimmed(std::string_view text);

// The parts of `text` between separators, without blanks at their ends.
std::vector<std::string_view> split(std::string_view text, char separator);

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

// The positions of the known columns of a file, and the names of the others.
class Columns {
 public:
  // Throws InputError for a header that names no known column, for a column without a name, and for
  // one that is there twice, be it by its
  // other name: `buffer` and `buffer_id` for id, `begin` and `start` for lower (minimalloc's).
  Columns(const CsvTable& table, std::string_view file_name);

  bool has(Column column) const { return place(column) != kAbsent; }
  // The column's number in the file, from 0; the greatest number if the file does not have it.
  std::size_t place(Column column) const { return place_[static_cast<std::size_t>(column)]; }
  // The cell of a column that the file has.
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

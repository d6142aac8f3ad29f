// Splits lines into cells, quoted or not, and finds columns by our names and minimalloc's.
#include "planner/memplan/csv_table.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "planner/memory/problem/problem.h"
#include "support/printable.h"

namespace arenite::memory {

namespace {

constexpr std::string_view kBlank = " \t\r";

// The cells of one line that has quotes.
class QuotedLine {
 public:
  // `error` says what is wrong where the line ends in the middle of a cell or a cell goes on after
  // its quotes.
  QuotedLine(std::string_view line, std::string& error) : line_(line), error_(error) {}

  std::vector<std::string> cells() {
    std::vector<std::string> cells;
    for (at_ = 0; at_ <= line_.size() && error_.empty(); ++at_) cells.push_back(cell());
    return cells;
  }

 private:
  std::string cell() {
    while (at_ < line_.size() && kBlank.find(line_[at_]) != std::string_view::npos) ++at_;
    if (at_ < line_.size() && line_[at_] == '"') return quoted_cell();
    const std::size_t begin = at_;
    at_ = std::min(line_.find(',', at_), line_.size());
    return std::string(trimmed(line_.substr(begin, at_ - begin)));
  }

  std::string quoted_cell() {
    std::string cell;
    for (++at_; at_ < line_.size(); ++at_) {
      if (line_[at_] != '"') {
        cell += line_[at_];
      } else if (at_ + 1 < line_.size() && line_[at_ + 1] == '"') {
        cell += line_[at_++];
      } else {
        break;
      }
    }
    if (at_ == line_.size()) {
      error_ = "a quoted cell does not end in its row";
      return cell;
    }
    const std::size_t comma = std::min(line_.find(',', at_ + 1), line_.size());
    const std::string_view rest = line_.substr(at_ + 1, comma - at_ - 1);
    if (!trimmed(rest).empty()) {
      error_ = "a quoted cell is followed by " + quote(trimmed(rest)) + "; expected a comma";
    }
    at_ = comma;
    return cell;
  }

  std::string_view line_;
  std::string& error_;
  std::size_t at_ = 0;
};

std::vector<std::string> cells_of(std::string_view line, std::string& error) {
  if (line.find('"') != std::string_view::npos) return QuotedLine(line, error).cells();
  const std::vector<std::string_view> parts = split(line, ',');
  return {parts.begin(), parts.end()};
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

CsvTable read_table(std::string_view text, std::string_view file_name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  CsvTable table;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    ++number;
    if (line.empty()) continue;
    std::string error;
    CsvRow row{number, cells_of(line, error)};
    if (!error.empty()) {
      throw InputError(std::string(file_name) + ", row " + std::to_string(number) + ": " + error);
    }
    if (table.header.cells.empty()) {
      table.header = std::move(row);
    } else {
      table.rows.push_back(std::move(row));
    }
  }
  if (table.header.cells.empty()) table.header.number = number;
  return table;
}

std::string width_error(const CsvTable& table, const CsvRow& row) {
  if (row.cells.size() == table.header.cells.size()) return "";
  return "expected " + std::to_string(table.header.cells.size()) +
         " columns as in the header, found " + std::to_string(row.cells.size());
}

std::string read_whole(std::string_view cell, uint64_t max, uint64_t& value) {
  if (cell.size() > 1 && cell[0] == '-' &&
      cell.find_first_not_of("0123456789", 1) == std::string_view::npos) {
    return quote(cell) + " is negative";
  }
  value = 0;
  const char* end = cell.data() + cell.size();
  const auto [stop, error] = std::from_chars(cell.data(), end, value);
  if (stop != end || (error != std::errc{} && error != std::errc::result_out_of_range)) {
    return quote(cell) + " is not a whole number";
  }
  if (error == std::errc::result_out_of_range || value > max) {
    return quote(cell) + " is too large; expected at most " + std::to_string(max);
  }
  return "";
}

std::string header_text(const CsvTable& table) {
  constexpr std::size_t kShownMax = 100;
  const std::string line = csv_line(table.header.cells);
  return line.size() <= kShownMax ? line : line.substr(0, kShownMax) + "...";
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string& cell = cells[i];
    if (i != 0) line += ',';
    if (cell.find_first_of(",\"") == std::string::npos && trimmed(cell).size() == cell.size()) {
      line += cell;
      continue;
    }
    line += '"';
    for (const char c : cell) line.append(c == '"' ? 2 : 1, c);
    line += '"';
  }
  return line;
}

namespace {

constexpr std::array<std::string_view, kColumnCount> kNames = {
    "id",  "lower", "upper", "end",        "size",     "alignment", "reads",  "writes",
    "mem", "gaps",  "group", "rel_offset", "overlaps", "hint",      "memory", "offset"};

constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"buffer", "id"}, {"buffer_id", "id"}, {"begin", "lower"}, {"start", "lower"}};

std::string_view our_name(std::string_view name) {
  for (const auto& [other, ours] : kOtherNames) {
    if (name == other) return ours;
  }
  return name;
}

}  // namespace

std::string_view name_of(Column column) { return kNames[static_cast<std::size_t>(column)]; }

Columns::Columns(const CsvTable& table, std::string_view file_name) {
  place_.fill(kAbsent);
  const auto fail = [&](const std::string& what) {
    throw InputError(std::string(file_name) + ", row " + std::to_string(table.header.number) +
                     ": " + what);
  };
  const std::vector<std::string>& header = table.header.cells;
  const bool any_known = std::any_of(header.begin(), header.end(), [](const std::string& name) {
    return std::find(kNames.begin(), kNames.end(), our_name(name)) != kNames.end();
  });
  if (!header.empty() && !any_known) {
    fail("expected a header with the names of the columns, as id,lower,upper,size, found " +
         quote(header_text(table)));
  }
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i].empty()) fail("column " + std::to_string(i + 1) + " has no name");
    std::string name(our_name(header[i]));
    const auto earlier = std::find(names_.begin(), names_.end(), name);
    if (earlier != names_.end()) {
      const std::string& first = header[static_cast<std::size_t>(earlier - names_.begin())];
      fail(first == header[i]
               ? "column " + quote(first) + " appears twice"
               : "columns " + quote(first) + " and " + quote(header[i]) + " are the same");
    }
    const auto known = std::find(kNames.begin(), kNames.end(), name);
    if (known == kNames.end()) {
      unknown_.push_back(name);
    } else {
      place_[static_cast<std::size_t>(known - kNames.begin())] = i;
    }
    names_.push_back(std::move(name));
  }
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

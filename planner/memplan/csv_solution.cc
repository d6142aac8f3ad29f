// Finds each row's buffer by its name, takes its place and compares what else the row says.
#include "planner/memplan/csv_solution.h"

#include <algorithm>
#include <unordered_map>

#include "planner/memplan/csv_table.h"
#include "support/printable.h"

namespace arenite::memory {

namespace {

class SolutionReader {
 public:
  SolutionReader(const CsvTable& table, std::string_view file_name, const CsvProblem& problem)
      : table_(table),
        file_name_(file_name),
        csv_(problem),
        problem_(problem.problem()),
        columns_(table, file_name) {}

  CsvSolution read() {
    check_header();
    result_.solution.placements.assign(problem_.buffers.size(), Placement{});
    result_.rows.assign(problem_.buffers.size(), 0);
    index_of_.reserve(problem_.buffers.size());
    for (uint32_t i = 0; i < problem_.buffers.size(); ++i) {
      index_of_.emplace(problem_.buffers[i].name, i);
    }
    for (const CsvRow& row : table_.rows) read_row(row);
    find_missing();
    tell_differences();
    return std::move(result_);
  }

 private:
  void check_header() const {
    const std::string where =
        std::string(file_name_) + ", row " + std::to_string(table_.header.number) + ": ";
    if (table_.header.cells.empty()) {
      throw InputError(where + "no header; expected the columns id,offset");
    }
    for (const Column needed : {Column::kId, Column::kOffset}) {
      if (columns_.has(needed)) continue;
      throw InputError(where + "column " + quote(name_of(needed)) +
                       " is missing; a solution has id,offset; found " + header_text(table_));
    }
    if (problem_.memories.size() > 1 && !columns_.has(Column::kMemory)) {
      throw InputError(where + "column 'memory' is missing; with several memories a solution has " +
                       "id,memory,offset");
    }
  }

  void fault(Violation kind, const CsvRow& row, std::string message,
             std::optional<uint32_t> buffer = std::nullopt) {
    Fault fault;
    fault.kind = name_of(kind);
    fault.message = std::move(message);
    fault.row = row.number;
    fault.buffer = buffer;
    const std::size_t place = columns_.place(Column::kId);
    if (place < row.cells.size()) fault.id = row.cells[place];
    result_.faults.push_back(std::move(fault));
  }

  void read_row(const CsvRow& row) {
    const std::string width = width_error(table_, row);
    const std::size_t place = columns_.place(Column::kId);
    if (place >= row.cells.size()) return fault(Violation::kMissingPlacement, row, width);
    const std::string& id = row.cells[place];
    const auto found = index_of_.find(id);
    if (found == index_of_.end()) {
      return fault(Violation::kExtraPlacement, row,
                   "the problem has no buffer with the id " + quote(id));
    }
    const uint32_t i = found->second;
    if (result_.rows[i] != 0) {
      return fault(Violation::kExtraPlacement, row,
                   "buffer " + quote(id) + " was placed in row " + std::to_string(result_.rows[i]),
                   i);
    }
    result_.rows[i] = row.number;
    if (!width.empty()) {
      return fault(Violation::kMissingPlacement, row, "buffer " + quote(id) + ": " + width, i);
    }
    place_buffer(row, i);
    compare(row, i);
  }

  void place_buffer(const CsvRow& row, uint32_t i) {
    const std::string who = "buffer " + quote(problem_.buffers[i].name);
    const std::string& offset = columns_.cell(row, Column::kOffset);
    if (offset.empty()) return fault(Violation::kMissingPlacement, row, who + " has no offset", i);
    uint64_t bytes = 0;
    const std::string error = read_whole(offset, kTotalBytesMax, bytes);
    if (!error.empty()) {
      return fault(Violation::kMissingPlacement, row, who + ": offset " + error, i);
    }
    const std::string memory =
        columns_.has(Column::kMemory) ? columns_.cell(row, Column::kMemory) : "";
    if (const auto index = find_memory(memory)) {
      result_.solution.placements[i] = {*index, bytes};
    } else if (memory.empty()) {
      fault(Violation::kMissingPlacement, row, who + " has no memory", i);
    } else {
      fault(Violation::kUnknownMemory, row, who + " is in memory " + quote(memory) + known(), i);
    }
  }

  // A file with one memory may leave out its name.
  std::optional<uint32_t> find_memory(std::string_view name) const {
    if (name.empty() && problem_.memories.size() == 1) return 0;
    for (uint32_t m = 0; m < problem_.memories.size(); ++m) {
      if (problem_.memories[m].name == name) return m;
    }
    return std::nullopt;
  }

  std::string known() const {
    std::string names;
    for (const Memory& memory : problem_.memories) {
      names += (names.empty() ? "; the memories are: " : ", ") + memory.name;
    }
    return names;
  }

  // Compares sizes and steps with the problem, if the solution has them.
  void compare(const CsvRow& row, uint32_t i) {
    const Buffer& buffer = problem_.buffers[i];
    compare(row, i, Column::kSize, "size", buffer.size_bytes);
    compare(row, i, Column::kLower, "lower", buffer.lifetime.first);
    compare(row, i, Column::kUpper, "upper", uint64_t{buffer.lifetime.last} + 1);
    compare(row, i, Column::kEnd, "end", buffer.lifetime.last);
  }

  void compare(const CsvRow& row, uint32_t i, Column column, const char* what, uint64_t expected) {
    uint64_t found = 0;
    if (!columns_.has(column)) return;
    const std::string& cell = columns_.cell(row, column);
    if (read_whole(cell, UINT64_MAX, found).empty() && found == expected) return;
    if (differences_++ != 0) return;
    first_difference_ = "row " + std::to_string(row.number) + ", " + what + " of " +
                        quote(problem_.buffers[i].name) + ": " + quote(cell) +
                        ", the problem says " + std::to_string(expected);
  }

  void tell_differences() {
    if (differences_ == 0) return;
    result_.notes.push_back(
        "sizes and steps of the problem are what is checked; the solution has others in " +
        std::to_string(differences_) + (differences_ == 1 ? " cell: " : " cells, the first in ") +
        first_difference_);
  }

  void find_missing() {
    for (uint32_t i = 0; i < problem_.buffers.size(); ++i) {
      if (result_.rows[i] != 0) continue;
      Fault fault;
      fault.kind = name_of(Violation::kMissingPlacement);
      fault.message = "there is no row for buffer " + quote(problem_.buffers[i].name) + " (row " +
                      std::to_string(csv_.rows[i].number) + " of the problem)";
      fault.buffer = i;
      fault.id = problem_.buffers[i].name;
      result_.faults.push_back(std::move(fault));
    }
  }

  const CsvTable& table_;
  std::string_view file_name_;
  const CsvProblem& csv_;
  const Problem& problem_;
  Columns columns_;
  std::unordered_map<std::string_view, uint32_t> index_of_;
  std::size_t differences_ = 0;
  std::string first_difference_;
  CsvSolution result_;
};

}  // namespace

CsvSolution read_solution(std::string_view text, std::string_view file_name,
                          const CsvProblem& problem) {
  const CsvTable table = read_table(text, file_name);
  return SolutionReader(table, file_name, problem).read();
}

std::string write_csv(const CsvProblem& input, const Solution& solution, bool with_memory) {
  std::vector<std::size_t> kept;
  std::vector<std::string> line;
  for (std::size_t i = 0; i < input.header.size(); ++i) {
    if (input.header[i] == name_of(Column::kOffset) ||
        input.header[i] == name_of(Column::kMemory)) {
      continue;
    }
    kept.push_back(i);
    line.push_back(input.header[i]);
  }
  if (with_memory) line.emplace_back(name_of(Column::kMemory));
  line.emplace_back(name_of(Column::kOffset));
  std::string text = csv_line(line) + "\n";
  for (std::size_t row = 0; row < input.rows.size(); ++row) {
    line.clear();
    for (const std::size_t i : kept) line.push_back(input.rows[row].cells[i]);
    const Placement& placement = solution.placements.at(row);
    if (with_memory) line.push_back(input.problem().memories.at(placement.memory).name);
    line.push_back(std::to_string(placement.offset));
    text += csv_line(line) + "\n";
  }
  return text;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

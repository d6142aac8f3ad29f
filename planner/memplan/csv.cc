// Reads a table of cells row by row, and refuses bad numbers and sums where they occur.
#include "planner/memplan/csv.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "planner/memplan/csv_links.h"
#include "planner/memplan/csv_table.h"
#include "support/printable.h"

namespace arenite::memory {

namespace {

class Reader {
 public:
  Reader(const CsvTable& table, std::string_view name, std::span<const Memory> memories,
         Placements placements)
      : table_(table),
        name_(name),
        row_(&table.header),
        columns_(table, name),
        placements_(placements) {
    problem_.memories.assign(memories.begin(), memories.end());
  }

  CsvProblem read() {
    check_header();
    row_of_id_.reserve(table_.rows.size());
    for (const CsvRow& row : table_.rows) {
      row_ = &row;
      if (const std::string error = width_error(table_, row); !error.empty()) fail(error);
      read_buffer();
    }
    link_buffers(problem_, links_, name_);
    return {
        check(std::move(problem_), std::string(name_)), columns_.names(), {}, columns_.unknown()};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(std::string(name_) + ", row " + std::to_string(row_->number) + ": " + what);
  }

  void check_header() const {
    if (table_.header.cells.empty()) fail("no header; expected the columns id,lower,upper,size");
    for (const Column needed : {Column::kId, Column::kLower, Column::kSize}) {
      if (!columns_.has(needed)) {
        fail("column " + quote(name_of(needed)) + " is missing; found " + header_text(table_));
      }
    }
    if (!columns_.has(Column::kUpper) && !inclusive()) {
      fail("column 'upper' (or 'end') is missing; found " + header_text(table_));
    }
    if (columns_.has(Column::kUpper) && inclusive()) {
      fail("columns 'upper' and 'end' exclude each other");
    }
    if (columns_.has(Column::kGroup) != columns_.has(Column::kRelOffset)) {
      fail("columns 'group' and 'rel_offset' go together");
    }
  }

  // TO is the last step, not the one after it.
  bool inclusive() const { return columns_.has(Column::kEnd); }

  // The cell of a column; empty where the file does not have it.
  std::string_view cell(Column column) const {
    return columns_.has(column) ? std::string_view(columns_.cell(*row_, column))
                                : std::string_view();
  }

  // A whole number in 0 .. max; `what` names it in messages.
  uint64_t number(std::string_view cell, std::string_view what, uint64_t max) const {
    uint64_t value = 0;
    const std::string error = read_whole(cell, max, value);
    if (!error.empty()) fail(std::string(what) + " " + error);
    return value;
  }

  uint64_t number_or(Column column, uint64_t otherwise, uint64_t max) const {
    const std::string_view text = cell(column);
    return text.empty() ? otherwise : number(text, name_of(column), max);
  }

  // FROM and TO, half open or inclusive as the file is.
  Lifetime steps(std::string_view lower, std::string_view upper, std::string_view what) const {
    constexpr uint64_t kStepMax = std::numeric_limits<uint32_t>::max();
    const uint64_t first = number(lower, "lower", kStepMax);
    const uint64_t last =
        number(upper, inclusive() ? "end" : "upper", inclusive() ? kStepMax : kStepMax + 1);
    const uint64_t beyond = inclusive() ? last + 1 : last;
    if (beyond == first) {
      fail(std::string(what) + " from " + std::string(lower) + " to " + std::string(upper) +
           " has no length" +
           (inclusive() ? "" : " ('upper' is the first step without the buffer)"));
    }
    if (beyond < first) {
      fail(std::string(what) + " from " + std::string(lower) + " to " + std::string(upper) +
           " ends before it begins");
    }
    return {static_cast<uint32_t>(first), static_cast<uint32_t>(beyond - 1)};
  }

  void read_buffer() {
    constexpr uint64_t kCountMax = std::numeric_limits<uint32_t>::max();
    Buffer buffer;
    buffer.name = cell(Column::kId);
    if (buffer.name.empty()) fail("the id is empty");
    const auto [seen, is_new] = row_of_id_.emplace(buffer.name, row_->number);
    if (!is_new) {
      fail("id " + quote(buffer.name) + " was used in row " + std::to_string(seen->second));
    }
    buffer.lifetime = steps(cell(Column::kLower), cell(inclusive() ? Column::kEnd : Column::kUpper),
                            "the lifetime");
    buffer.size_bytes = number(cell(Column::kSize), "size", kTotalBytesMax);
    const uint64_t alignment = number_or(Column::kAlignment, 1, kCountMax);
    if (alignment == 0) fail("alignment 0; expected at least 1");
    buffer.alignment = static_cast<uint32_t>(alignment);
    buffer.reads = number_or(Column::kReads, 0, kCountMax);
    buffer.writes = number_or(Column::kWrites, 0, kCountMax);
    read_allowed(buffer);
    if (placements_ == Placements::kFixed) read_placement(buffer);
    read_gaps(buffer);
    const Links links = read_links();
    add_up(buffer, links.rel_offset);
    links_.push_back(links);
    problem_.buffers.push_back(std::move(buffer));
  }

  // The sums that planning and reporting rely on must not overflow: refused at the row that does
  // it.
  void add_up(const Buffer& buffer, uint64_t rel_offset) {
    for (const uint64_t bytes : {buffer.size_bytes, uint64_t{buffer.alignment}, rel_offset}) {
      if (bytes > kTotalBytesMax - total_bytes_) {
        fail("the sizes overflow: up to here they sum to more than 2^62 bytes");
      }
      total_bytes_ += bytes;
    }
    const uint64_t uses = buffer.reads + buffer.writes;
    if (buffer.size_bytes > 0 && uses > (kTotalBytesMax - total_traffic_) / buffer.size_bytes) {
      fail("size x (reads + writes) overflows: up to here they sum to more than 2^62 bytes");
    }
    total_traffic_ += uses * buffer.size_bytes;
  }

  uint32_t memory_named(std::string_view name, std::string_view what) const {
    const std::vector<Memory>& memories = problem_.memories;
    const auto it = std::find_if(memories.begin(), memories.end(),
                                 [name](const Memory& memory) { return memory.name == name; });
    if (it != memories.end()) return static_cast<uint32_t>(it - memories.begin());
    std::string known;
    for (const Memory& memory : memories) known += (known.empty() ? "" : ", ") + memory.name;
    fail(std::string(what) + " names memory " + quote(name) + "; the memories given are: " + known);
  }

  void read_allowed(Buffer& buffer) const {
    if (cell(Column::kMem).empty()) return;
    for (const std::string_view name : split(cell(Column::kMem), ';')) {
      buffer.allowed.push_back(memory_named(name, "mem"));
    }
  }

  // Reads the place that the file gives the buffer: where it was put, or has to be put.
  void read_placement(Buffer& buffer) const {
    const std::string_view name = cell(Column::kMemory);
    const std::string_view offset = cell(Column::kOffset);
    std::vector<uint32_t> in = buffer.allowed;
    if (!name.empty()) {
      const uint32_t memory = memory_named(name, "memory");
      if (!in.empty() && std::find(in.begin(), in.end(), memory) == in.end()) {
        fail("memory " + quote(name) + " is not among those of mem, " + quote(cell(Column::kMem)));
      }
      in = {memory};
    } else if (problem_.memories.size() == 1) {
      in = {0};
    }
    if (offset.empty()) {
      if (!name.empty()) buffer.allowed = in;
      return;
    }
    const uint64_t bytes = number(offset, "offset", kTotalBytesMax);
    if (in.size() != 1) {
      fail("offset " + quote(offset) + " without a memory; expected its name in 'memory'");
    }
    buffer.fixed = Placement{in.front(), bytes};
  }

  Links read_links() const {
    Links links;
    links.row = row_->number;
    links.overlaps = cell(Column::kOverlaps);
    links.group = cell(Column::kGroup);
    links.rel_offset = number_or(Column::kRelOffset, 0, kTotalBytesMax);
    if (links.group.empty() && !cell(Column::kRelOffset).empty()) {
      fail("rel_offset " + quote(cell(Column::kRelOffset)) + " without a group");
    }
    return links;
  }

  void read_gaps(Buffer& buffer) const {
    for (const std::string_view text : split(cell(Column::kGaps), ' ')) {
      if (!text.empty()) buffer.gaps.push_back(read_gap(text, buffer));
    }
  }

  Gap read_gap(std::string_view text, const Buffer& buffer) const {
    const std::size_t at = std::min(text.find('@'), text.size());
    const std::string_view range = text.substr(0, at);
    const std::size_t dash = range.find('-', 1);
    if (dash == std::string_view::npos) {
      fail("gap " + quote(text) + "; expected FROM-TO or FROM-TO@BEGIN:END");
    }
    Gap gap{steps(range.substr(0, dash), range.substr(dash + 1), "the gap"), std::nullopt};
    if (gap.steps.first < buffer.lifetime.first || buffer.lifetime.last < gap.steps.last) {
      fail("gap " + quote(text) + " is not inside the lifetime");
    }
    if (at != text.size()) gap.in_use = read_window(text, text.substr(at + 1), buffer);
    for (const Gap& other : buffer.gaps) {
      if (other.steps.last < gap.steps.first || gap.steps.last < other.steps.first) continue;
      fail("gap " + quote(text) + " has steps in common with another gap of this buffer");
    }
    return gap;
  }

  ByteRange read_window(std::string_view gap, std::string_view window, const Buffer& buffer) const {
    const std::size_t colon = window.find(':');
    if (colon == std::string_view::npos) {
      fail("gap " + quote(gap) + "; expected BEGIN:END, the bytes that stay in use, after the '@'");
    }
    ByteRange bytes{
        number(window.substr(0, colon), "gap " + quote(gap) + ": byte", kTotalBytesMax),
        number(window.substr(colon + 1), "gap " + quote(gap) + ": byte", kTotalBytesMax)};
    if (bytes.begin >= bytes.end || bytes.end > buffer.size_bytes) {
      fail("gap " + quote(gap) + ": bytes " + quote(window) +
           " stay in use; expected BEGIN below END, and END at most the size, " +
           std::to_string(buffer.size_bytes));
    }
    return bytes;
  }

  const CsvTable& table_;
  std::string_view name_;
  const CsvRow* row_;  // the one being read
  Columns columns_;
  Placements placements_;
  std::unordered_map<std::string, std::size_t> row_of_id_;
  uint64_t total_bytes_ = 0;
  uint64_t total_traffic_ = 0;
  std::vector<Links> links_;  // one a buffer
  Problem problem_;
};

}  // namespace

CsvProblem read_csv(std::string_view text, std::string_view name, std::span<const Memory> memories,
                    Placements placements) {
  CsvTable table = read_table(text, name);
  CsvProblem result = Reader(table, name, memories, placements).read();
  result.rows = std::move(table.rows);
  return result;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Reads planning problems from CSV, and writes their solutions beside the columns that were read.
#include "planner/memory/csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <unordered_map>

#include "planner/memory/csv_links.h"

namespace arenite::memory {
namespace {

enum Column : std::size_t {
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
  kOffset,
  kMemory,
  kColumnCount,
};

constexpr std::array<std::string_view, kColumnCount> kColumnNames = {
    "id",  "lower", "upper", "end",        "size",     "alignment", "reads",  "writes",
    "mem", "gaps",  "group", "rel_offset", "overlaps", "hint",      "offset", "memory"};

constexpr std::size_t kAbsent = SIZE_MAX;

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
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

class Reader {
 public:
  Reader(std::string_view name, std::span<const Memory> memories) : name_(name) {
    result_.problem.memories.assign(memories.begin(), memories.end());
    column_.fill(kAbsent);
  }

  CsvProblem read(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++row_;
      const std::string_view line = trimmed(text.substr(begin, end - begin));
      begin = end + 1;
      if (line.empty()) continue;
      if (line.find('"') != std::string_view::npos) fail("quoted cells are not understood");
      read_line(split(line, ','));
    }
    if (result_.header.empty()) fail("no header; expected the columns id,lower,upper,size");
    link_buffers(result_.problem, links_, name_);
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(std::string(name_) + ", row " + std::to_string(row_) + ": " + what);
  }

  void read_line(const std::vector<std::string_view>& cells) {
    if (result_.header.empty()) {
      read_header(cells);
      result_.header.assign(cells.begin(), cells.end());
      return;
    }
    if (cells.size() != result_.header.size()) {
      fail("expected " + std::to_string(result_.header.size()) +
           " columns as in the header, found " + std::to_string(cells.size()));
    }
    read_buffer(cells);
    result_.rows.emplace_back(cells.begin(), cells.end());
  }

  void read_header(const std::vector<std::string_view>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto known = std::find(kColumnNames.begin(), kColumnNames.end(), cells[i]);
      if (known == kColumnNames.end()) fail("unknown column " + quoted(cells[i]));
      std::size_t& column = column_[static_cast<std::size_t>(known - kColumnNames.begin())];
      if (column != kAbsent) fail("column " + quoted(cells[i]) + " appears twice");
      column = i;
    }
    for (const Column needed : {kId, kLower, kSize}) {
      if (column_[needed] == kAbsent) {
        fail("column " + quoted(kColumnNames[needed]) + " is missing");
      }
    }
    if (column_[kUpper] == kAbsent && column_[kEnd] == kAbsent) {
      fail("column 'upper' (or 'end') is missing");
    }
    if (column_[kUpper] != kAbsent && column_[kEnd] != kAbsent) {
      fail("columns 'upper' and 'end' exclude each other");
    }
    if ((column_[kGroup] == kAbsent) != (column_[kRelOffset] == kAbsent)) {
      fail("columns 'group' and 'rel_offset' go together");
    }
  }

  // A whole number in 0 .. max; `what` names it in messages.
  uint64_t number(std::string_view cell, std::string_view what, uint64_t max) const {
    const std::string found = std::string(what) + " " + quoted(cell);
    if (cell.size() > 1 && cell[0] == '-' &&
        cell.find_first_not_of("0123456789", 1) == std::string_view::npos) {
      fail(found + " is negative");
    }
    uint64_t value = 0;
    const char* end = cell.data() + cell.size();
    const auto [stop, error] = std::from_chars(cell.data(), end, value);
    if (stop != end || (error != std::errc{} && error != std::errc::result_out_of_range)) {
      fail(found + " is not a whole number");
    }
    if (error == std::errc::result_out_of_range || value > max) {
      fail(found + " is too large; expected at most " + std::to_string(max));
    }
    return value;
  }

  uint64_t number_or(const std::vector<std::string_view>& cells, Column column, uint64_t otherwise,
                     uint64_t max) const {
    if (column_[column] == kAbsent || cells[column_[column]].empty()) return otherwise;
    return number(cells[column_[column]], kColumnNames[column], max);
  }

  // FROM and TO, half open or inclusive as the file is.
  Lifetime steps(std::string_view lower, std::string_view upper, std::string_view what) const {
    constexpr uint64_t kStepMax = std::numeric_limits<uint32_t>::max();
    const bool inclusive = column_[kEnd] != kAbsent;
    const uint64_t first = number(lower, "lower", kStepMax);
    const uint64_t last =
        number(upper, inclusive ? "end" : "upper", inclusive ? kStepMax : kStepMax + 1);
    const uint64_t beyond = inclusive ? last + 1 : last;
    if (beyond == first) {
      fail(std::string(what) + " from " + std::string(lower) + " to " + std::string(upper) +
           " has no length" + (inclusive ? "" : " ('upper' is the first step without the buffer)"));
    }
    if (beyond < first) {
      fail(std::string(what) + " from " + std::string(lower) + " to " + std::string(upper) +
           " ends before it begins");
    }
    return {static_cast<uint32_t>(first), static_cast<uint32_t>(beyond - 1)};
  }

  void read_buffer(const std::vector<std::string_view>& cells) {
    constexpr uint64_t kCountMax = std::numeric_limits<uint32_t>::max();
    Buffer buffer;
    buffer.name = cells[column_[kId]];
    if (buffer.name.empty()) fail("the id is empty");
    const auto [seen, is_new] = row_of_id_.emplace(buffer.name, row_);
    if (!is_new) {
      fail("id " + quoted(buffer.name) + " was used in row " + std::to_string(seen->second));
    }
    const Column upper = column_[kEnd] != kAbsent ? kEnd : kUpper;
    buffer.lifetime = steps(cells[column_[kLower]], cells[column_[upper]], "the lifetime");
    buffer.size_bytes = number(cells[column_[kSize]], "size", kTotalBytesMax);
    const uint64_t alignment = number_or(cells, kAlignment, 1, kCountMax);
    if (alignment == 0) fail("alignment 0; expected at least 1");
    buffer.alignment = static_cast<uint32_t>(alignment);
    buffer.reads = number_or(cells, kReads, 0, kCountMax);
    buffer.writes = number_or(cells, kWrites, 0, kCountMax);
    if (column_[kMem] != kAbsent) read_allowed(cells[column_[kMem]], buffer);
    if (column_[kGaps] != kAbsent) read_gaps(cells[column_[kGaps]], buffer);
    const Links links = read_links(cells);
    add_up(buffer, links.rel_offset);
    links_.push_back(links);
    result_.problem.buffers.push_back(std::move(buffer));
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

  void read_allowed(std::string_view cell, Buffer& buffer) const {
    if (cell.empty()) return;
    const std::vector<Memory>& memories = result_.problem.memories;
    for (const std::string_view name : split(cell, ';')) {
      const auto it = std::find_if(memories.begin(), memories.end(),
                                   [name](const Memory& memory) { return memory.name == name; });
      if (it == memories.end()) {
        std::string known;
        for (const Memory& memory : memories) known += (known.empty() ? "" : ", ") + memory.name;
        fail("mem names memory " + quoted(name) + "; the memories given are: " + known);
      }
      buffer.allowed.push_back(static_cast<uint32_t>(it - memories.begin()));
    }
  }

  Links read_links(const std::vector<std::string_view>& cells) const {
    Links links;
    links.row = row_;
    if (column_[kOverlaps] != kAbsent) links.overlaps = cells[column_[kOverlaps]];
    if (column_[kGroup] == kAbsent) return links;
    links.group = cells[column_[kGroup]];
    links.rel_offset = number_or(cells, kRelOffset, 0, kTotalBytesMax);
    if (links.group.empty() && !cells[column_[kRelOffset]].empty()) {
      fail("rel_offset " + quoted(cells[column_[kRelOffset]]) + " without a group");
    }
    return links;
  }

  void read_gaps(std::string_view cell, Buffer& buffer) const {
    for (const std::string_view gap : split(cell, ' ')) {
      if (gap.empty()) continue;
      const std::string_view range = gap.substr(0, gap.find('@'));
      const std::size_t dash = range.find('-', 1);
      if (dash == std::string_view::npos) fail("gap " + quoted(gap) + "; expected FROM-TO");
      const Lifetime parsed = steps(range.substr(0, dash), range.substr(dash + 1), "the gap");
      if (parsed.first < buffer.lifetime.first || buffer.lifetime.last < parsed.last) {
        fail("gap " + quoted(gap) + " is not inside the lifetime");
      }
      buffer.gaps.push_back(parsed);
    }
  }

  std::string_view name_;
  std::size_t row_ = 0;
  std::array<std::size_t, kColumnCount> column_{};
  std::unordered_map<std::string, std::size_t> row_of_id_;
  uint64_t total_bytes_ = 0;
  uint64_t total_traffic_ = 0;
  std::vector<Links> links_;  // one a buffer
  CsvProblem result_;
};

}  // namespace

CsvProblem read_csv(std::string_view text, std::string_view name,
                    std::span<const Memory> memories) {
  CsvProblem result = Reader(name, memories).read(text);
  try {
    validate(result.problem);
  } catch (const InputError& error) {
    throw InputError(std::string(name) + ": " + error.what());
  }
  return result;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

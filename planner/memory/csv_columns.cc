// The columns of problems and solutions in CSV: their names, and other tools' names for them.
#include "planner/memory/csv_columns.h"

#include <algorithm>
#include <utility>

#include "planner/memory/problem.h"

namespace arenite::memory {
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
    fail("expected a header with the names of the columns, as id,lower,upper,size, found '" +
         header_text(table) + "'");
  }
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i].empty()) fail("column " + std::to_string(i + 1) + " has no name");
    std::string name(our_name(header[i]));
    const auto earlier = std::find(names_.begin(), names_.end(), name);
    if (earlier != names_.end()) {
      const std::string& first = header[static_cast<std::size_t>(earlier - names_.begin())];
      fail(first == header[i] ? "column '" + first + "' appears twice"
                              : "columns '" + first + "' and '" + header[i] + "' are the same");
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

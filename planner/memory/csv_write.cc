// Writes problems, and solutions beside the columns that were read, as CSV.
#include <algorithm>
#include <set>

#include "planner/memory/csv.h"
#include "planner/memory/items.h"

namespace arenite::memory {
namespace {

void check_name(const std::string& name, std::set<std::string>& names) {
  constexpr std::string_view kBlank = " \t\r";
  const bool good = !name.empty() && name.find_first_of(",\"\n") == std::string::npos &&
                    kBlank.find(name.front()) == std::string_view::npos &&
                    kBlank.find(name.back()) == std::string_view::npos;
  if (!good) throw InputError("buffer '" + name + "' has a name that no CSV cell can hold");
  if (!names.insert(name).second) throw InputError("two buffers are named '" + name + "'");
}

std::string memory_list(const Problem& problem, const Buffer& buffer) {
  std::string text;
  for (const uint32_t m : buffer.allowed) {
    text += (text.empty() ? "" : ";") + problem.memories.at(m).name;
  }
  return text;
}

std::string gap_list(const Buffer& buffer) {
  std::string text;
  for (const Lifetime& gap : buffer.gaps) {
    text += (text.empty() ? "" : " ") + std::to_string(gap.first) + "-" +
            std::to_string(uint64_t{gap.last} + 1);
  }
  return text;
}

}  // namespace

std::string write_csv(const CsvProblem& input, const Solution& solution, bool with_memory) {
  std::vector<std::size_t> kept;
  std::string text;
  for (std::size_t i = 0; i < input.header.size(); ++i) {
    if (input.header[i] == "offset" || input.header[i] == "memory") {
      continue;
    }
    kept.push_back(i);
    text += input.header[i] + ",";
  }
  text += with_memory ? "memory,offset\n" : "offset\n";
  for (std::size_t row = 0; row < input.rows.size(); ++row) {
    for (const std::size_t i : kept) text += input.rows[row][i] + ",";
    const Placement& placement = solution.placements.at(row);
    if (with_memory) text += input.problem.memories.at(placement.memory).name + ",";
    text += std::to_string(placement.offset) + "\n";
  }
  return text;
}

std::string write_csv(const Problem& problem) {
  const std::vector<Anchor> anchors = find_anchors(problem.buffers);
  std::vector<bool> in_group(anchors.size());
  std::vector<std::string> overlaps(anchors.size());
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    if (anchors[i].root != i) in_group[i] = in_group[anchors[i].root] = true;
  }
  for (const Overlap& overlap : problem.overlaps) {
    std::string& cell = overlaps.at(overlap.input);
    cell += (cell.empty() ? "" : " ") + problem.buffers.at(overlap.output).name + ":" +
            std::to_string(overlap.lead_bytes);
  }
  std::string text =
      "id,lower,upper,size,alignment,reads,writes,mem,group,rel_offset,gaps,overlaps\n";
  std::set<std::string> names;
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    check_name(buffer.name, names);
    if (buffer.fixed) {
      throw InputError("buffer '" + buffer.name + "' is fixed, which CSV has no column for");
    }
    text += buffer.name + "," + std::to_string(buffer.lifetime.first) + "," +
            std::to_string(uint64_t{buffer.lifetime.last} + 1) + "," +
            std::to_string(buffer.size_bytes) + "," + std::to_string(buffer.alignment) + "," +
            std::to_string(buffer.reads) + "," + std::to_string(buffer.writes) + "," +
            memory_list(problem, buffer) + ",";
    text += in_group[i] ? problem.buffers[anchors[i].root].name + "," +
                              std::to_string(anchors[i].offset_bytes)
                        : ",";
    text += "," + gap_list(buffer) + "," + overlaps[i] + "\n";
  }
  return text;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Writes one row for each buffer, and refuses names that a cell cannot hold.
#include "tests/planner/memory/write_csv.h"

#include <algorithm>
#include <set>

#include "planner/memory/problem/items.h"

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
  for (const Gap& gap : buffer.gaps) {
    text += (text.empty() ? "" : " ") + std::to_string(gap.steps.first) + "-" +
            std::to_string(uint64_t{gap.steps.last} + 1);
    if (gap.in_use) {
      text += "@" + std::to_string(gap.in_use->begin) + ":" + std::to_string(gap.in_use->end);
    }
  }
  return text;
}

// ",memory,offset" of a fixed buffer, or two empty cells.
std::string placement_cells(const Problem& problem, const Buffer& buffer) {
  if (!buffer.fixed) return ",,";
  return "," + problem.memories.at(buffer.fixed->memory).name + "," +
         std::to_string(buffer.fixed->offset);
}

}  // namespace

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
  const bool any_fixed = std::any_of(problem.buffers.begin(), problem.buffers.end(),
                                     [](const Buffer& buffer) { return buffer.fixed.has_value(); });
  std::string text =
      "id,lower,upper,size,alignment,reads,writes,mem,group,rel_offset,gaps,overlaps";
  text += any_fixed ? ",memory,offset\n" : "\n";
  std::set<std::string> names;
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    check_name(buffer.name, names);
    text += buffer.name + "," + std::to_string(buffer.lifetime.first) + "," +
            std::to_string(uint64_t{buffer.lifetime.last} + 1) + "," +
            std::to_string(buffer.size_bytes) + "," + std::to_string(buffer.alignment) + "," +
            std::to_string(buffer.reads) + "," + std::to_string(buffer.writes) + "," +
            memory_list(problem, buffer) + ",";
    text += in_group[i] ? problem.buffers[anchors[i].root].name + "," +
                              std::to_string(anchors[i].offset_bytes)
                        : ",";
    text += "," + gap_list(buffer) + "," + overlaps[i];
    if (any_fixed) text += placement_cells(problem, buffer);
    text += "\n";
  }
  return text;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

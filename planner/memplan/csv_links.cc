// Joins rows by the names in their cells: members to groups, inputs to outputs.
#include "planner/memplan/csv_links.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "support/printable.h"

namespace arenite::memory {

namespace {

class Linker {
 public:
  Linker(Problem& problem, std::span<const Links> links, std::string_view file_name)
      : problem_(problem), links_(links), file_name_(file_name) {}

  void run() {
    std::map<std::string_view, std::vector<uint32_t>> groups;
    for (uint32_t i = 0; i < links_.size(); ++i) {
      if (!links_[i].group.empty()) groups[links_[i].group].push_back(i);
    }
    for (const auto& [name, members] : groups) tie(members);
    const bool any_overlap = std::any_of(
        links_.begin(), links_.end(), [](const Links& links) { return !links.overlaps.empty(); });
    if (!any_overlap) return;
    for (uint32_t i = 0; i < links_.size(); ++i) index_of_.emplace(problem_.buffers[i].name, i);
    for (uint32_t i = 0; i < links_.size(); ++i) read_overlaps(i);
  }

 private:
  [[noreturn]] void fail(uint32_t buffer, const std::string& what) const {
    throw InputError(std::string(file_name_) + ", row " + std::to_string(links_[buffer].row) +
                     ": " + what);
  }

  void tie(const std::vector<uint32_t>& members) {
    const uint32_t base = *std::min_element(
        members.begin(), members.end(),
        [this](uint32_t a, uint32_t b) { return links_[a].rel_offset < links_[b].rel_offset; });
    std::vector<bool> allowed(problem_.memories.size(), true);
    uint64_t alignment = 1;
    std::optional<Placement> fixed;  // of the base
    for (const uint32_t i : members) {
      Buffer& buffer = problem_.buffers[i];
      const uint64_t distance = links_[i].rel_offset - links_[base].rel_offset;
      if (distance % buffer.alignment != 0) {
        fail(i, "group " + quote(links_[i].group) + ": " + quote(buffer.name) +
                    " needs alignment " + std::to_string(buffer.alignment) + " but lies " +
                    std::to_string(distance) + " bytes from " + quote(problem_.buffers[base].name) +
                    " (row " + std::to_string(links_[base].row) + ")");
      }
      alignment = common_alignment(alignment, buffer.alignment);
      if (alignment == 0) {
        fail(i, "group " + quote(links_[i].group) +
                    ": the alignments up to here have no common multiple up to 2^32");
      }
      keep_allowed(i, allowed);
      if (buffer.fixed) fix_base(i, distance, fixed);
      buffer.fixed.reset();
      if (i != base) buffer.relative = Relative{base, distance};
    }
    problem_.buffers[base].fixed = fixed;
  }

  // Fixes the base of a group so that buffer i lies where it is fixed.
  void fix_base(uint32_t i, uint64_t distance, std::optional<Placement>& fixed) const {
    const Placement& own = *problem_.buffers[i].fixed;
    const std::string where =
        "group " + quote(links_[i].group) + ": offset " + std::to_string(own.offset);
    if (own.offset < distance) {
      fail(i, where + " puts the group's start " + std::to_string(distance - own.offset) +
                  " bytes before the memory's");
    }
    const Placement of_base{own.memory, own.offset - distance};
    if (fixed && fixed->memory == of_base.memory && fixed->offset != of_base.offset) {
      fail(i, where + "; the others of the group up to here expect " +
                  std::to_string(fixed->offset + distance));
    }
    fixed = of_base;
  }

  // Takes from `allowed` the memories that buffer i does not allow.
  void keep_allowed(uint32_t i, std::vector<bool>& allowed) const {
    const std::vector<uint32_t>& own = problem_.buffers[i].allowed;
    if (own.empty()) return;
    for (uint32_t m = 0; m < allowed.size(); ++m) {
      allowed[m] = allowed[m] && std::find(own.begin(), own.end(), m) != own.end();
    }
    if (std::find(allowed.begin(), allowed.end(), true) == allowed.end()) {
      fail(i, "group " + quote(links_[i].group) +
                  ": no memory is allowed to all its buffers up to here");
    }
  }

  void read_overlaps(uint32_t input) {
    std::string_view rest = links_[input].overlaps;
    std::set<uint32_t> outputs;
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      if (one.empty()) continue;
      const Overlap overlap = read_overlap(input, one);
      if (!outputs.insert(overlap.output).second) {
        fail(input, "overlap " + quote(one) + " names its buffer a second time");
      }
      problem_.overlaps.push_back(overlap);
    }
  }

  Overlap read_overlap(uint32_t input, std::string_view text) const {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) {
      fail(input, "overlap " + quote(text) + "; expected OUTPUT_ID:LEAD");
    }
    const std::string_view number = text.substr(colon + 1);
    Overlap overlap;
    overlap.input = input;
    const auto [stop, error] =
        std::from_chars(number.data(), number.data() + number.size(), overlap.lead_bytes);
    if (stop != number.data() + number.size() || error != std::errc{} ||
        overlap.lead_bytes > kLeadBytesMax || overlap.lead_bytes < -kLeadBytesMax) {
      fail(input, "overlap " + quote(text) + ": its lead " + quote(number) +
                      " is not a whole number of at most 2^61");
    }
    const auto found = index_of_.find(std::string(text.substr(0, colon)));
    if (found == index_of_.end() || found->second == input) {
      fail(input, "overlap " + quote(text) + " names no other buffer");
    }
    overlap.output = found->second;
    const uint32_t dies = problem_.buffers[input].lifetime.last;
    const uint32_t born = problem_.buffers[overlap.output].lifetime.first;
    if (dies != born) {
      fail(input, "overlap " + quote(text) + ": the buffer dies at step " + std::to_string(dies) +
                      ", the other is born at step " + std::to_string(born) +
                      "; expected the same step");
    }
    return overlap;
  }

  Problem& problem_;
  std::span<const Links> links_;
  std::string_view file_name_;
  std::unordered_map<std::string, uint32_t> index_of_;
};

}  // namespace

void link_buffers(Problem& problem, std::span<const Links> links, std::string_view file_name) {
  Linker(problem, links, file_name).run();
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Finds which rigid items may share bytes, from what is permitted to the buffers in them.
#include "planner/memory/sharings.h"

#include <algorithm>
#include <map>
#include <utility>

namespace arenite::memory {
namespace {

class SharingFinder {
 public:
  SharingFinder(const Problem& problem, std::span<const Anchor> anchors,
                std::span<const Item> items)
      : problem_(problem), anchors_(anchors), items_(items), item_of_(problem.buffers.size()) {
    std::vector<uint32_t> of_root(problem.buffers.size());
    for (uint32_t i = 0; i < items.size(); ++i) of_root[items[i].root] = i;
    members_.resize(items.size());
    for (uint32_t b = 0; b < problem.buffers.size(); ++b) {
      item_of_[b] = of_root[anchors[b].root];
      members_[item_of_[b]].push_back(b);
    }
    for (const Overlap& overlap : problem.overlaps) {
      leads_[{overlap.input, overlap.output}] = overlap.lead_bytes;
    }
  }

  std::vector<Sharing> run() const {
    std::map<std::pair<uint32_t, uint32_t>, int64_t> found;
    for (const Overlap& overlap : problem_.overlaps) {
      const uint32_t input = item_of_[overlap.input];
      const uint32_t output = item_of_[overlap.output];
      const uint32_t step = items_[input].lifetime.last;
      if (input == output || items_[output].lifetime.first != step) continue;
      if (const auto lead = lead_of(input, output, step)) found[{output, input}] = *lead;
    }
    std::vector<Sharing> sharings;
    for (const auto& [pair, lead] : found) sharings.push_back({pair.second, pair.first, lead});
    return sharings;
  }

 private:
  // The lead between the starts of two items; nothing when some pair of members of theirs that
  // lives at the step has no permission.
  std::optional<int64_t> lead_of(uint32_t input, uint32_t output, uint32_t step) const {
    std::optional<int64_t> lead;
    for (const uint32_t in : members_[input]) {
      if (!holds(in, step)) continue;
      for (const uint32_t out : members_[output]) {
        if (!holds(out, step)) continue;
        const auto at = leads_.find({in, out});
        if (at == leads_.end()) return std::nullopt;
        const int64_t between = at->second + static_cast<int64_t>(anchors_[out].offset_bytes) -
                                static_cast<int64_t>(anchors_[in].offset_bytes);
        lead = lead ? std::max(*lead, between) : between;
      }
    }
    return lead;
  }

  // Whether it has data in use.
  bool holds(uint32_t b, uint32_t step) const {
    const Buffer& buffer = problem_.buffers[b];
    return buffer.size_bytes > 0 && in_use_at(buffer, step).has_value();
  }

  const Problem& problem_;
  std::span<const Anchor> anchors_;
  std::span<const Item> items_;
  std::vector<uint32_t> item_of_;
  std::vector<std::vector<uint32_t>> members_;
  std::map<std::pair<uint32_t, uint32_t>, int64_t> leads_;
};

}  // namespace

std::vector<Sharing> find_sharings(const Problem& problem, std::span<const Anchor> anchors,
                                   std::span<const Item> items) {
  return SharingFinder(problem, anchors, items).run();
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

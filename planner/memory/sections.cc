// Cuts time into sections of constant load: the sweep below both the live bytes and the lower
// bound.
#include "planner/memory/sections.h"

#include <algorithm>
#include <set>

#include "planner/memory/union_length.h"
#include "planner/memory/uses.h"

namespace arenite::memory {
namespace {

// A change of load at the start of a step. Steps are 64 bits here: a death is at last + 1.
struct Change {
  uint64_t step = 0;
  int64_t bytes = 0;
};

struct PaddingChange {
  uint64_t step = 0;
  uint64_t padding = 0;
  bool born = false;
};

struct Timeline {
  std::vector<Change> load;
  std::vector<PaddingChange> padding;
};

uint64_t padded(uint64_t size_bytes, uint64_t granule) { return align_up(size_bytes, granule); }

void add_padding(const Buffer& buffer, uint64_t granule, Timeline& timeline) {
  for (const Use& use : uses_of(buffer)) {
    const uint64_t bytes = use.bytes.end - use.bytes.begin;
    const uint64_t padding = padded(bytes, granule) - bytes;
    if (padding == 0) continue;
    timeline.padding.push_back({use.steps.first, padding, true});
    timeline.padding.push_back({uint64_t{use.steps.last} + 1, padding, false});
  }
}

void add_single(const Buffer& buffer, uint64_t granule, Timeline& timeline) {
  for (const Use& use : uses_of(buffer)) {
    const auto bytes = static_cast<int64_t>(padded(use.bytes.end - use.bytes.begin, granule));
    timeline.load.push_back({use.steps.first, bytes});
    timeline.load.push_back({uint64_t{use.steps.last} + 1, -bytes});
  }
}

// A birth or a death of a member of a group that shares bytes.
struct MemberChange {
  uint64_t step = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
  int count = 0;
};

void add_group(std::span<const Buffer> buffers, std::span<const Anchor> anchors,
               std::span<const uint32_t> members, uint64_t granule, Timeline& timeline) {
  std::vector<MemberChange> changes;
  std::vector<uint64_t> end_points;
  for (const uint32_t member : members) {
    for (const Use& use : uses_of(buffers[member])) {
      const uint64_t begin = anchors[member].offset_bytes + use.bytes.begin;
      const uint64_t end = begin + padded(use.bytes.end - use.bytes.begin, granule);
      end_points.push_back(begin);
      end_points.push_back(end);
      changes.push_back({use.steps.first, begin, end, +1});
      changes.push_back({uint64_t{use.steps.last} + 1, begin, end, -1});
    }
  }
  std::sort(changes.begin(), changes.end(),
            [](const MemberChange& a, const MemberChange& b) { return a.step < b.step; });
  UnionLength covered(std::move(end_points));
  for (const MemberChange& change : changes) {
    const auto before = static_cast<int64_t>(covered.length());
    covered.change(change.begin, change.end, change.count);
    timeline.load.push_back({change.step, static_cast<int64_t>(covered.length()) - before});
  }
}

Timeline make_timeline(std::span<const Buffer> buffers, std::span<const Anchor> anchors,
                       const std::vector<bool>& included, uint64_t granule) {
  std::vector<uint32_t> by_root;
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    if (included[i]) by_root.push_back(i);
  }
  std::stable_sort(by_root.begin(), by_root.end(),
                   [&](uint32_t a, uint32_t b) { return anchors[a].root < anchors[b].root; });
  Timeline timeline;
  for (std::size_t begin = 0, end = 0; begin < by_root.size(); begin = end) {
    const uint32_t root = anchors[by_root[begin]].root;
    for (end = begin; end < by_root.size() && anchors[by_root[end]].root == root; ++end) {
      add_padding(buffers[by_root[end]], granule, timeline);
    }
    if (end - begin == 1) {
      add_single(buffers[by_root[begin]], granule, timeline);
    } else {
      add_group(buffers, anchors, std::span(by_root).subspan(begin, end - begin), granule,
                timeline);
    }
  }
  return timeline;
}

template <typename Event>
void sort_by_step(std::vector<Event>& events) {
  std::sort(events.begin(), events.end(),
            [](const Event& a, const Event& b) { return a.step < b.step; });
}

}  // namespace

std::vector<Section> cut_sections(std::span<const Buffer> buffers, std::span<const Anchor> anchors,
                                  const std::vector<bool>& included, uint64_t granule) {
  Timeline timeline = make_timeline(buffers, anchors, included, granule);
  sort_by_step(timeline.load);
  sort_by_step(timeline.padding);

  std::vector<Section> sections;
  std::multiset<uint64_t> paddings;
  int64_t bytes = 0;
  std::size_t next_padding = 0;
  for (std::size_t i = 0; i < timeline.load.size();) {
    const uint64_t step = timeline.load[i].step;
    if (!sections.empty()) sections.back().last = static_cast<uint32_t>(step - 1);
    for (; i < timeline.load.size() && timeline.load[i].step == step; ++i) {
      bytes += timeline.load[i].bytes;
    }
    for (; next_padding < timeline.padding.size() && timeline.padding[next_padding].step == step;
         ++next_padding) {
      const PaddingChange& change = timeline.padding[next_padding];
      if (change.born) {
        paddings.insert(change.padding);
      } else {
        paddings.erase(paddings.find(change.padding));
      }
    }
    if (i == timeline.load.size()) break;  // the last death: nothing lives from here on
    sections.push_back({static_cast<uint32_t>(step), static_cast<uint32_t>(step),
                        static_cast<uint64_t>(bytes), paddings.empty() ? 0 : *paddings.rbegin()});
  }
  return sections;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

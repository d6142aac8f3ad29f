// How many bytes are live at each step, and the height below which no plan can go.
#include "planner/memory/live_bytes.h"

#include <algorithm>
#include <numeric>
#include <set>

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

namespace {

// The most bytes that an overlap saves at its step, sizes rounded up to the granule.
uint64_t saving_of(const Problem& problem, const Overlap& overlap, uint64_t granule) {
  const Buffer& input = problem.buffers[overlap.input];
  const Buffer& output = problem.buffers[overlap.output];
  const uint32_t step = output.lifetime.first;
  if (input.lifetime.last != step || !in_use_at(input, step) || !in_use_at(output, step)) return 0;
  const uint64_t lead = overlap.lead_bytes > 0 ? static_cast<uint64_t>(overlap.lead_bytes) : 0;
  const uint64_t bytes = align_up(output.size_bytes, granule);
  return lead < bytes ? std::min(align_up(input.size_bytes, granule), bytes - lead) : 0;
}

// The sections of the problem, less what its overlaps can save: buffers that may share bytes do so
// at one step, which is a section of its own as the one is born and the other dies there.
std::vector<Section> sections_of(const Problem& problem, std::span<const Anchor> anchors,
                                 const std::vector<bool>& included, uint64_t granule) {
  std::vector<Section> sections = cut_sections(problem.buffers, anchors, included, granule);
  for (const Overlap& overlap : problem.overlaps) {
    if (!included[overlap.input] || !included[overlap.output]) continue;
    const uint32_t step = problem.buffers[overlap.output].lifetime.first;
    const auto section =
        std::lower_bound(sections.begin(), sections.end(), step,
                         [](const Section& at, uint32_t wanted) { return at.last < wanted; });
    if (section == sections.end() || section->first != step || section->last != step) continue;
    section->bytes -= std::min(section->bytes, saving_of(problem, overlap, granule));
  }
  return sections;
}

std::vector<LiveSpan> spans_of(const Problem& problem, const std::vector<bool>& included) {
  const std::vector<Anchor> anchors = find_anchors(problem.buffers);
  std::vector<LiveSpan> spans;
  for (const Section& section : sections_of(problem, anchors, included, 1)) {
    spans.push_back({section.first, section.last, section.bytes});
  }
  return spans;
}

// The largest number that divides every offset any plan can use, those of views and of what is in
// use included.
uint64_t granule_of(const Problem& problem, std::span<const Anchor> anchors) {
  uint64_t granule = 0;
  for (const Item& item : make_items(problem, anchors)) {
    for (const uint32_t memory : item.allowed) {
      granule =
          std::gcd(granule, common_alignment(item.alignment, problem.memories[memory].alignment));
    }
  }
  for (const Anchor& anchor : anchors) granule = std::gcd(granule, anchor.offset_bytes);
  for (const Buffer& buffer : problem.buffers) {
    for (const Gap& gap : buffer.gaps) {
      if (gap.in_use) granule = std::gcd(granule, gap.in_use->begin);
    }
  }
  return std::max<uint64_t>(granule, 1);
}

// Ends of the fixed buffers: every plan reaches at least these.
uint64_t fixed_height(const Problem& problem, std::span<const Anchor> anchors) {
  std::vector<uint64_t> ends(problem.memories.size(), 0);
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    const std::optional<Placement>& fixed = problem.buffers[anchors[i].root].fixed;
    if (!fixed) continue;
    const uint64_t end = fixed->offset + anchors[i].offset_bytes + problem.buffers[i].size_bytes;
    ends[fixed->memory] = std::max(ends[fixed->memory], end);
  }
  return std::accumulate(ends.begin(), ends.end(), uint64_t{0});
}

}  // namespace

std::vector<LiveSpan> live_spans(const Problem& problem) {
  return spans_of(problem, std::vector<bool>(problem.buffers.size(), true));
}

std::vector<LiveSpan> live_spans_in(const Problem& problem, const Solution& solution,
                                    uint32_t memory) {
  std::vector<bool> included;
  for (const Placement& placement : solution.placements) {
    included.push_back(placement.memory == memory);
  }
  included.resize(problem.buffers.size(), false);
  return spans_of(problem, included);
}

LiveSpan largest(const std::vector<LiveSpan>& spans) {
  LiveSpan best;
  for (const LiveSpan& span : spans) {
    if (span.bytes > best.bytes) best = span;
  }
  return best;
}

std::vector<LiveBuffer> live_buffers_in(const Problem& problem, const Solution& solution,
                                        uint32_t memory, uint32_t step) {
  const std::vector<Anchor> anchors = find_anchors(problem.buffers);
  std::vector<LiveBuffer> live;
  for (uint32_t i = 0; i < problem.buffers.size() && i < solution.placements.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    if (solution.placements[i].memory != memory) continue;
    const std::optional<ByteRange> used = in_use_at(buffer, step);
    if (!used) continue;
    const uint64_t start = anchors[i].offset_bytes;
    const std::optional<ByteRange> around = in_use_at(problem.buffers[anchors[i].root], step);
    const bool inside_root = anchors[i].root != i && around &&
                             around->begin <= start + used->begin &&
                             start + used->end <= around->end;
    if (!inside_root) live.push_back({i, buffer.name, used->end - used->begin});
  }
  std::stable_sort(live.begin(), live.end(), [](const LiveBuffer& a, const LiveBuffer& b) {
    return a.size_bytes > b.size_bytes;
  });
  return live;
}

uint64_t lower_bound(const Problem& problem) {
  const std::vector<Anchor> anchors = find_anchors(problem.buffers);
  const std::vector<bool> all(problem.buffers.size(), true);
  uint64_t bound = fixed_height(problem, anchors);
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    bound = std::max(bound, anchors[i].offset_bytes + problem.buffers[i].size_bytes);
  }
  for (const Section& section : sections_of(problem, anchors, all, 1)) {
    bound = std::max(bound, section.bytes);
  }
  if (problem.memories.size() > 1) return bound;
  const uint64_t granule = granule_of(problem, anchors);
  if (granule == 1) return bound;
  // All live intervals start at multiples of the granule, so the padded ones are disjoint too; the
  // highest of them ends at their sum or above, and only its own padding may stick out of the plan.
  for (const Section& section : sections_of(problem, anchors, all, granule)) {
    bound = std::max(bound, section.bytes - std::min(section.bytes, section.padding_max));
  }
  return bound;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// How many bytes are live at each step, and the height below which no plan can go.
#include "planner/memory/bounds.h"

#include <algorithm>
#include <numeric>

#include "planner/memory/sections.h"
#include "planner/memory/uses.h"

namespace arenite::memory {
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

// One walk through time (sweep line): births and deaths sorted by step, their bytes summed up.
//
//   bytes    +---+
//        +---+   +--+        each rise a birth, each fall a death; between two of them lies a
//        |          +---+    span of constant load
//        +--------------+
#include "planner/memory/problem/live_bytes.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <span>

#include "planner/memory/problem/uses.h"

namespace arenite::memory {
namespace {

// A change of load at the start of a step. Steps are 64 bits here: a death is at last + 1.
struct LoadChange {
  uint64_t step = 0;
  int64_t bytes = 0;
};

struct PaddingChange {
  uint64_t step = 0;
  uint64_t padding = 0;
  bool born = false;
};

// A birth or a death of a member of a group that shares bytes.
struct MemberChange {
  uint64_t step = 0;
  ByteRange bytes;
  int count = 0;
};

template <typename Event>
void sort_by_step(std::vector<Event>& events) {
  std::sort(events.begin(), events.end(),
            [](const Event& a, const Event& b) { return a.step < b.step; });
}

class Timeline {
 public:
  Timeline(const CheckedProblem& problem, const std::vector<bool>& included, uint64_t granule)
      : problem_(problem), granule_(granule) {
    std::vector<uint32_t> by_item;
    for (uint32_t i = 0; i < included.size(); ++i) {
      if (included[i]) by_item.push_back(i);
    }
    std::stable_sort(by_item.begin(), by_item.end(), [&](uint32_t a, uint32_t b) {
      return problem.item_of(a) < problem.item_of(b);
    });
    for (std::size_t begin = 0, end = 0; begin < by_item.size(); begin = end) {
      const uint32_t item = problem.item_of(by_item[begin]);
      for (end = begin; end < by_item.size() && problem.item_of(by_item[end]) == item; ++end) {
        add_padding(problem.buffers()[by_item[end]]);
      }
      if (end - begin == 1) {
        add_single(problem.buffers()[by_item[begin]]);
      } else {
        add_group(std::span(by_item).subspan(begin, end - begin));
      }
    }
    sort_by_step(load_);
    sort_by_step(padding_);
  }

  std::vector<LiveSpan> spans() const {
    std::vector<LiveSpan> spans;
    std::multiset<uint64_t> paddings;
    int64_t bytes = 0;
    std::size_t next_padding = 0;
    for (std::size_t i = 0; i < load_.size();) {
      const uint64_t step = load_[i].step;
      if (!spans.empty()) spans.back().last = static_cast<uint32_t>(step - 1);
      for (; i < load_.size() && load_[i].step == step; ++i) bytes += load_[i].bytes;
      for (; next_padding < padding_.size() && padding_[next_padding].step == step;
           ++next_padding) {
        const PaddingChange& change = padding_[next_padding];
        if (change.born) {
          paddings.insert(change.padding);
        } else {
          paddings.erase(paddings.find(change.padding));
        }
      }
      if (i == load_.size()) break;  // the last death: nothing lives from here on
      spans.push_back({static_cast<uint32_t>(step), static_cast<uint32_t>(step),
                       static_cast<uint64_t>(bytes), paddings.empty() ? 0 : *paddings.rbegin()});
    }
    return spans;
  }

 private:
  uint64_t padded(const Use& use) const { return align_up(use.bytes.bytes(), granule_); }

  void add_padding(const Buffer& buffer) {
    if (granule_ == 1) return;
    for (const Use& use : uses_of(buffer)) {
      const uint64_t padding = padded(use) - use.bytes.bytes();
      if (padding == 0) continue;
      padding_.push_back({use.steps.first, padding, true});
      padding_.push_back({uint64_t{use.steps.last} + 1, padding, false});
    }
  }

  void add_single(const Buffer& buffer) {
    for (const Use& use : uses_of(buffer)) {
      const auto bytes = static_cast<int64_t>(padded(use));
      load_.push_back({use.steps.first, bytes});
      load_.push_back({uint64_t{use.steps.last} + 1, -bytes});
    }
  }

  void add_group(std::span<const uint32_t> members) {
    std::vector<MemberChange> changes;
    std::vector<uint64_t> end_points;
    for (const uint32_t member : members) {
      for (const Use& use : uses_of(problem_.buffers()[member])) {
        const uint64_t begin = problem_.anchors()[member].offset_bytes + use.bytes.begin;
        const ByteRange bytes{begin, begin + padded(use)};
        end_points.insert(end_points.end(), {bytes.begin, bytes.end});
        changes.push_back({use.steps.first, bytes, +1});
        changes.push_back({uint64_t{use.steps.last} + 1, bytes, -1});
      }
    }
    sort_by_step(changes);
    UnionLength covered(std::move(end_points));
    for (const MemberChange& change : changes) {
      const auto before = static_cast<int64_t>(covered.length());
      covered.change(change.bytes.begin, change.bytes.end, change.count);
      load_.push_back({change.step, static_cast<int64_t>(covered.length()) - before});
    }
  }

  const CheckedProblem& problem_;
  uint64_t granule_;  // divides all offsets inside a group and the first bytes of all uses
  std::vector<LoadChange> load_;
  std::vector<PaddingChange> padding_;
};

// The most bytes that an overlap saves at its step, sizes rounded up to the granule.
uint64_t saving_of(const CheckedProblem& problem, const Overlap& overlap, uint64_t granule) {
  const Buffer& input = problem.buffers()[overlap.input];
  const Buffer& output = problem.buffers()[overlap.output];
  const uint32_t step = output.lifetime.first;
  if (input.lifetime.last != step || !in_use_at(input, step) || !in_use_at(output, step)) return 0;
  return saved_bytes_max(align_up(input.size_bytes, granule), align_up(output.size_bytes, granule),
                         overlap.lead_bytes);
}

// The largest number that divides every offset any plan can use, those of views and of what is in
// use included.
uint64_t granule_of(const CheckedProblem& problem) {
  uint64_t granule = 0;
  for (const Item& item : problem.items()) {
    for (const uint32_t memory : item.allowed) {
      granule = std::gcd(granule, problem.alignment_in(item, memory));
    }
  }
  for (const Anchor& anchor : problem.anchors()) granule = std::gcd(granule, anchor.offset_bytes);
  for (const Buffer& buffer : problem.buffers()) {
    for (const Gap& gap : buffer.gaps) {
      if (gap.in_use) granule = std::gcd(granule, gap.in_use->begin);
    }
  }
  return std::max<uint64_t>(granule, 1);
}

// Ends of the fixed items: every plan reaches at least these.
uint64_t fixed_height(const CheckedProblem& problem) {
  std::vector<uint64_t> ends(problem.memories().size(), 0);
  for (const Item& item : problem.items()) {
    if (!item.fixed) continue;
    uint64_t& end = ends[item.fixed->memory];
    end = std::max(end, item.fixed->offset + item.size_bytes);
  }
  return std::accumulate(ends.begin(), ends.end(), uint64_t{0});
}

}  // namespace

// Buffers that may share bytes do so at one step, which is a span of its own as the one is born and
// the other dies there.
std::vector<LiveSpan> live_spans(const CheckedProblem& problem, const std::vector<bool>& included,
                                 uint64_t granule) {
  std::vector<LiveSpan> spans = Timeline(problem, included, granule).spans();
  for (const Overlap& overlap : problem.overlaps()) {
    if (!included[overlap.input] || !included[overlap.output]) continue;
    const uint32_t step = problem.buffers()[overlap.output].lifetime.first;
    const auto span =
        std::lower_bound(spans.begin(), spans.end(), step,
                         [](const LiveSpan& at, uint32_t wanted) { return at.last < wanted; });
    if (span == spans.end() || span->first != step || span->last != step) continue;
    span->bytes -= std::min(span->bytes, saving_of(problem, overlap, granule));
  }
  return spans;
}

std::vector<LiveSpan> live_spans(const CheckedProblem& problem) {
  return live_spans(problem, std::vector<bool>(problem.buffers().size(), true));
}

std::vector<LiveSpan> live_spans_in(const CheckedProblem& problem, const Solution& solution,
                                    uint32_t memory) {
  std::vector<bool> included;
  for (const Placement& placement : solution.placements) {
    included.push_back(placement.memory == memory);
  }
  included.resize(problem.buffers().size(), false);
  return live_spans(problem, included);
}

LiveSpan largest(const std::vector<LiveSpan>& spans) {
  LiveSpan best;
  for (const LiveSpan& span : spans) {
    if (span.bytes > best.bytes) best = span;
  }
  return best;
}

std::vector<LiveBuffer> live_buffers_in(const CheckedProblem& problem, const Solution& solution,
                                        uint32_t memory, uint32_t step) {
  std::vector<LiveBuffer> live;
  for (uint32_t i = 0; i < problem.buffers().size() && i < solution.placements.size(); ++i) {
    const Buffer& buffer = problem.buffers()[i];
    if (solution.placements[i].memory != memory) continue;
    const std::optional<ByteRange> used = in_use_at(buffer, step);
    if (!used) continue;
    const auto [root, start] = problem.anchors()[i];
    const std::optional<ByteRange> around = in_use_at(problem.buffers()[root], step);
    const bool inside_root = root != i && around && around->begin <= start + used->begin &&
                             start + used->end <= around->end;
    if (!inside_root) live.push_back({i, buffer.name, used->bytes()});
  }
  std::stable_sort(live.begin(), live.end(), [](const LiveBuffer& a, const LiveBuffer& b) {
    return a.size_bytes > b.size_bytes;
  });
  return live;
}

uint64_t lower_bound(const CheckedProblem& problem) {
  uint64_t bound = std::max(fixed_height(problem), largest(live_spans(problem)).bytes);
  for (const Item& item : problem.items()) bound = std::max(bound, item.size_bytes);
  if (problem.memories().size() > 1) return bound;
  const uint64_t granule = granule_of(problem);
  if (granule == 1) return bound;
  // All live intervals start at multiples of the granule, so the padded ones are disjoint too; the
  // highest of them ends at their sum or above, and only its own padding may stick out of the plan.
  const std::vector<bool> all(problem.buffers().size(), true);
  for (const LiveSpan& span : live_spans(problem, all, granule)) {
    bound = std::max(bound, span.bytes - std::min(span.bytes, span.padding_max));
  }
  return bound;
}

uint64_t lower_bound(const CheckedProblem& problem, const Solution& solution) {
  const bool one = problem.memories().size() == 1 && !solution.lower_bounds.empty();
  return std::max(lower_bound(problem), one ? solution.lower_bounds.front() : 0);
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

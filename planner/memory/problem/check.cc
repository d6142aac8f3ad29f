// Refuses problems that contradict themselves, before any algorithm sees them.
#include "planner/memory/problem/check.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <span>
#include <utility>

#include "planner/memory/problem/uses.h"
#include "support/printable.h"

namespace arenite::memory {
namespace {

void check_memories(const std::vector<Memory>& memories) {
  if (memories.empty()) throw InputError("the problem has no memory; expected at least one");
  std::set<std::string> names;
  for (const Memory& memory : memories) {
    const std::string where = "memory " + quote(memory.name);
    if (!names.insert(memory.name).second) throw InputError(where + " is named twice");
    if (memory.alignment == 0) throw InputError(where + " has alignment 0; expected at least 1");
    if (memory.base > kTotalBytesMax) {
      throw InputError(where + " has base " + std::to_string(memory.base) +
                       "; expected at most 2^62");
    }
    if (memory.size_bytes != kUnbounded && memory.size_bytes > kTotalBytesMax) {
      throw InputError(where + " has " + std::to_string(memory.size_bytes) +
                       " bytes; expected at most 2^62, or no limit");
    }
  }
}

void check_gaps(const Buffer& buffer) {
  const Lifetime& lifetime = buffer.lifetime;
  std::vector<Lifetime> sorted;
  for (const Gap& gap : buffer.gaps) {
    const std::string where =
        "buffer " + quote(buffer.name) + " has a gap " + steps_text(gap.steps);
    if (gap.steps.last < gap.steps.first || gap.steps.first < lifetime.first ||
        lifetime.last < gap.steps.last) {
      throw InputError(where + " that is not inside its lifetime " + steps_text(lifetime));
    }
    if (gap.in_use &&
        (gap.in_use->begin >= gap.in_use->end || gap.in_use->end > buffer.size_bytes)) {
      throw InputError(where + " in which bytes " + std::to_string(gap.in_use->begin) + " to " +
                       std::to_string(gap.in_use->end) + " stay in use; expected some of its " +
                       std::to_string(buffer.size_bytes) + " bytes");
    }
    sorted.push_back(gap.steps);
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const Lifetime& a, const Lifetime& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i - 1].last < sorted[i].first) continue;
    throw InputError("buffer " + quote(buffer.name) + " has gaps " + steps_text(sorted[i - 1]) +
                     " and " + steps_text(sorted[i]) + ", which have steps in common");
  }
}

void check_lifetimes(const Buffer& buffer) {
  const Lifetime& lifetime = buffer.lifetime;
  if (lifetime.last < lifetime.first) {
    throw InputError("buffer " + quote(buffer.name) + " dies at step " +
                     std::to_string(lifetime.last) + " before it is born at step " +
                     std::to_string(lifetime.first));
  }
  check_gaps(buffer);
}

// Checks the alignment of one item in each memory it may go to; returns the largest.
uint64_t check_alignment(const Problem& problem, const Item& item) {
  const Buffer& root = problem.buffers[item.root];
  uint64_t largest = 1;
  for (const uint32_t index : item.allowed) {
    const Memory& memory = problem.memories[index];
    const uint64_t alignment = common_alignment(item.alignment, memory.alignment);
    if (alignment == 0) {
      throw InputError("the alignment " + std::to_string(item.alignment) + " of buffer " +
                       quote(root.name) + " and the alignment " + std::to_string(memory.alignment) +
                       " of memory " + quote(memory.name) + " have no common multiple up to 2^32");
    }
    if (memory.base % alignment != 0) {
      throw InputError("memory " + quote(memory.name) + " starts at address " +
                       std::to_string(memory.base) + ", not a multiple of the alignment " +
                       std::to_string(alignment) + " that buffer " + quote(root.name) +
                       " needs there");
    }
    largest = std::max(largest, alignment);
  }
  return largest;
}

void check_fixed(const Problem& problem, const Item& item) {
  const std::string where = "fixed buffer " + quote(problem.buffers[item.root].name);
  const Placement& fixed = *item.fixed;
  if (std::find(item.allowed.begin(), item.allowed.end(), fixed.memory) == item.allowed.end()) {
    throw InputError(where + " is in memory " + std::to_string(fixed.memory) +
                     ", which does not exist or is not allowed to it");
  }
  const Memory& memory = problem.memories[fixed.memory];
  const uint64_t alignment = common_alignment(item.alignment, memory.alignment);
  if (fixed.offset % alignment != 0) {
    throw InputError(where + " is at offset " + std::to_string(fixed.offset) +
                     ", not a multiple of its alignment " + std::to_string(alignment));
  }
  const uint64_t room = std::min(memory.size_bytes, kTotalBytesMax);
  if (fixed.offset > room || item.size_bytes > room - fixed.offset) {
    throw InputError(where + " with " + std::to_string(item.size_bytes) + " bytes at offset " +
                     std::to_string(fixed.offset) + " passes the end of memory " +
                     quote(memory.name) + " at " + std::to_string(room));
  }
}

[[noreturn]] void refuse_overlap(const Problem& problem, const Item& a, const Item& b) {
  throw InputError("fixed buffers " + quote(problem.buffers[a.root].name) + " and " +
                   quote(problem.buffers[b.root].name) + " overlap in memory " +
                   quote(problem.memories[a.fixed->memory].name));
}

// Items that are fixed and have bytes, in order of birth.
std::vector<const Item*> fixed_items(const std::vector<Item>& items) {
  std::vector<const Item*> fixed;
  for (const Item& item : items) {
    if (item.fixed && item.size_bytes > 0) fixed.push_back(&item);
  }
  std::stable_sort(fixed.begin(), fixed.end(), [](const Item* a, const Item* b) {
    return a->lifetime.first < b->lifetime.first;
  });
  return fixed;
}

// Whether some overlap lets them lie as they are fixed.
bool permitted(std::span<const Overlap> overlaps, std::span<const Item> items, const Item& a,
               const Item& b) {
  return std::any_of(overlaps.begin(), overlaps.end(), [&](const Overlap& overlap) {
    const Item& input = items[overlap.input];
    const Item& output = items[overlap.output];
    const bool these = (&input == &a && &output == &b) || (&input == &b && &output == &a);
    return these &&
           static_cast<int64_t>(input.fixed->offset - output.fixed->offset) >= overlap.lead_bytes;
  });
}

// Each against all that live at its birth, for problems with gaps or overlaps.
void check_fixed_pairs(const Problem& problem, const std::vector<Item>& items,
                       std::span<const Overlap> overlaps) {
  std::vector<const Item*> live;
  for (const Item* item : fixed_items(items)) {
    std::erase_if(
        live, [item](const Item* other) { return other->lifetime.last < item->lifetime.first; });
    for (const Item* other : live) {
      if (other->fixed->memory != item->fixed->memory) continue;
      const Forbidden range = forbidden_starts(*item, *other);
      const auto distance = static_cast<int64_t>(item->fixed->offset - other->fixed->offset);
      if (distance <= range.low || range.high <= distance) continue;
      if (!permitted(overlaps, items, *item, *other)) refuse_overlap(problem, *other, *item);
    }
    live.push_back(item);
  }
}

// Walks the fixed items in order of birth with the live ones by offset: those are disjoint, so a
// new one can only run into its two neighbors.
void check_fixed_overlaps(const Problem& problem, const std::vector<Item>& items) {
  using Key = std::pair<uint32_t, uint64_t>;  // memory, offset
  std::map<Key, const Item*> live;
  using Death = std::pair<uint32_t, Key>;
  std::priority_queue<Death, std::vector<Death>, std::greater<>> deaths;
  for (const Item* item : fixed_items(items)) {
    while (!deaths.empty() && deaths.top().first < item->lifetime.first) {
      live.erase(deaths.top().second);
      deaths.pop();
    }
    const Key key = {item->fixed->memory, item->fixed->offset};
    const auto above = live.lower_bound(key);
    if (above != live.end() && above->first.first == key.first &&
        above->first.second < key.second + item->size_bytes) {
      refuse_overlap(problem, *above->second, *item);
    }
    if (above != live.begin()) {
      const auto& [below_key, below] = *std::prev(above);
      if (below_key.first == key.first && key.second < below_key.second + below->size_bytes) {
        refuse_overlap(problem, *below, *item);
      }
    }
    live.emplace(key, item);
    deaths.emplace(item->lifetime.last, key);
  }
}

void check_overlaps(const Problem& problem) {
  for (const Overlap& overlap : problem.overlaps) {
    const std::size_t last = std::max(overlap.input, overlap.output);
    if (last >= problem.buffers.size() || overlap.input == overlap.output) {
      throw InputError("an overlap between buffers " + std::to_string(overlap.input) + " and " +
                       std::to_string(overlap.output) + "; expected two different ones of " +
                       std::to_string(problem.buffers.size()));
    }
    if (overlap.lead_bytes > kLeadBytesMax || overlap.lead_bytes < -kLeadBytesMax) {
      throw InputError("the overlap of buffer " + quote(problem.buffers[overlap.input].name) +
                       " has a lead of " + std::to_string(overlap.lead_bytes) +
                       " bytes; expected at most 2^61 either way");
    }
  }
}

}  // namespace

CheckedProblem::CheckedProblem(Problem given) : problem_(std::move(given)) {
  check_memories(problem_.memories);
  if (buffers().size() >= UINT32_MAX) throw InputError("too many buffers: at most 2^32 - 2");
  for (const Buffer& buffer : buffers()) {
    check_lifetimes(buffer);
    if (buffer.fixed && buffer.relative) {
      throw InputError("buffer " + quote(buffer.name) +
                       " is both fixed and relative to another; expected one of them at most");
    }
  }
  check_overlaps(problem_);
  anchors_ = find_anchors(buffers());
  items_ = make_items(problem_, anchors_, item_of_);
  check_items();
  item_overlaps_ = overlaps_of_items(problem_, anchors_, items_, item_of_);
  solid_ = std::all_of(items_.begin(), items_.end(), [](const Item& item) { return item.solid; });
  if (overlaps().empty() && solid_) {
    check_fixed_overlaps(problem_, items_);
  } else {
    check_fixed_pairs(problem_, items_, item_overlaps_);
  }
}

void CheckedProblem::check_items() const {
  uint64_t total = 0;
  for (const Item& item : items_) {
    const uint64_t alignment = check_alignment(problem_, item);
    if (item.fixed) check_fixed(problem_, item);
    if (item.size_bytes > kTotalBytesMax - total ||
        alignment > kTotalBytesMax - total - item.size_bytes) {
      throw InputError("the sizes overflow: with buffer " + quote(buffers()[item.root].name) +
                       " they sum to more than 2^62 bytes");
    }
    total += item.size_bytes + alignment;
  }
}

CheckedProblem check(Problem problem, const std::string& whose) {
  try {
    return CheckedProblem(std::move(problem));
  } catch (const InputError& error) {
    throw InputError(whose + ": " + error.what());
  }
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

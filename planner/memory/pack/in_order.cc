// Keeps the items placed in order of offset, and scans those alive for the lowest or best hole.
#include "planner/memory/pack/in_order.h"

#include <algorithm>

#include "core/assert.h"

namespace arenite::memory {

OrderPacker::OrderPacker(const PackProblem& problem, const Watch* watch)
    : problem_(problem),
      watch_(watch),
      solid_(!problem.has_gaps()),
      partner_(problem.items.size(), false) {
  for (uint32_t i = 0; i < problem.items.size(); ++i) {
    if (problem.items[i].fixed) fixed_.push_back(i);
  }
  // In this order each settles behind those before it.
  std::stable_sort(fixed_.begin(), fixed_.end(), [&](uint32_t a, uint32_t b) {
    return problem.items[a].fixed->offset < problem.items[b].fixed->offset;
  });
  if (problem.overlaps.empty()) return;
  overlaps_.resize(problem.items.size());
  for (const Overlap& overlap : problem.overlaps) {
    overlaps_[overlap.input].push_back(overlap);
    overlaps_[overlap.output].push_back(overlap);
  }
}

bool OrderPacker::ended() {
  constexpr uint64_t kWorkBetweenLooks = 1 << 16;
  if (watch_ == nullptr || work_ + moved_ < next_look_) return false;
  next_look_ = work_ + moved_ + kWorkBetweenLooks;
  return stopped(watch_);
}

std::optional<uint64_t> OrderPacker::pack(std::span<const uint32_t> order, Fit fit,
                                          std::vector<uint64_t>& offsets) {
  offset_.clear();
  end_.clear();
  first_.clear();
  last_.clear();
  item_.clear();
  placed_.assign(problem_.items.size(), kUnbounded);
  for (const uint32_t i : fixed_) settle(i, problem_.items[i].fixed->offset);
  for (const uint32_t i : order) {
    if (problem_.items[i].fixed) continue;
    if (ended()) return std::nullopt;
    settle(i, fit == Fit::kLowest ? lowest(i) : best_gap(i));
  }
  uint64_t height = 0;
  for (const uint64_t end : end_) height = std::max(height, end);
  for (uint32_t i = 0; i < placed_.size(); ++i) {
    if (problem_.items[i].size_bytes == 0) height = std::max(height, placed_[i]);
  }
  offsets = placed_;
  return height;
}

void OrderPacker::settle(uint32_t i, uint64_t offset) {
  ARENITE_ASSERT(placed_[i] == kUnbounded);  // an order has each item once
  placed_[i] = offset;
  const Item& item = problem_.items[i];
  if (item.size_bytes == 0) return;
  const auto at = std::upper_bound(offset_.begin(), offset_.end(), offset) - offset_.begin();
  moved_ += offset_.size() - static_cast<std::size_t>(at);
  offset_.insert(offset_.begin() + at, offset);
  end_.insert(end_.begin() + at, offset + item.size_bytes);
  first_.insert(first_.begin() + at, item.lifetime.first);
  last_.insert(last_.begin() + at, item.lifetime.last);
  item_.insert(item_.begin() + at, i);
}

// The first settled item from k on that shares a step with this life. Most don't: blocks of them
// are dismissed in a loop that compilers turn into vector code.
std::size_t OrderPacker::next_alive(std::size_t k, Lifetime life) const {
  constexpr std::size_t kBlock = 16;
  const uint32_t* first = first_.data();
  const uint32_t* last = last_.data();
  const std::size_t count = first_.size();
  for (;;) {
    const std::size_t stop = std::min(count, k + kBlock);
    for (std::size_t j = k; j < stop; ++j) {
      if (first[j] <= life.last && last[j] >= life.first) return j;
    }
    k = stop;
    for (; k + kBlock <= count; k += kBlock) {
      uint32_t any = 0;
      for (std::size_t j = 0; j < kBlock; ++j) {
        any |= static_cast<uint32_t>(first[k + j] <= life.last) &
               static_cast<uint32_t>(last[k + j] >= life.first);
      }
      if (any != 0) break;
    }
    if (k == count) return count;
  }
}

// The lowest offset from `from` on that is free of settled items, partners counted or not.
uint64_t OrderPacker::scan(uint32_t i, uint64_t from, bool with_partners) {
  const Item& item = problem_.items[i];
  const Lifetime life = item.lifetime;
  uint64_t running_end = from;
  std::size_t k = 0;
  for (; k < offset_.size(); ++k) {
    k = next_alive(k, life);
    if (k == offset_.size()) break;
    if (!with_partners && partner_[item_[k]]) continue;
    if (offset_[k] >= running_end && offset_[k] - running_end >= item.size_bytes) break;
    if (end_[k] > running_end) running_end = align_up(end_[k], item.alignment);
  }
  work_ += k + 1;
  return running_end;
}

// Finds the obstacles of an item, if some items have gaps.
void OrderPacker::find_obstacles(uint32_t i, Fit fit) {
  const Item& item = problem_.items[i];
  obstacles_.clear();
  for (std::size_t k = next_alive(0, item.lifetime); k < offset_.size();
       k = next_alive(k + 1, item.lifetime)) {
    Forbidden range = forbidden_starts(item, problem_.items[item_[k]]);
    if (fit == Fit::kLowest && !overlaps_.empty()) {
      for (const Overlap& overlap : overlaps_[i]) {
        if (overlap.output == item_[k]) range.high = std::min(range.high, overlap.lead_bytes);
        if (overlap.input == item_[k]) range.low = std::max(range.low, -overlap.lead_bytes);
      }
    }
    if (range.any()) obstacles_.push_back(obstacle_of(range, offset_[k], item.size_bytes));
  }
  work_ += offset_.size() + 1;
  std::sort(obstacles_.begin(), obstacles_.end(),
            [](const Obstacle& a, const Obstacle& b) { return a.begin < b.begin; });
}

uint64_t OrderPacker::between_uses(uint32_t i, Fit fit) {
  const Item& item = problem_.items[i];
  find_obstacles(i, fit);
  const HoleRule rule = fit == Fit::kLowest ? lowest_hole : smallest_hole;
  return rule(obstacles_, item.size_bytes, item.alignment);
}

// Finds where the item may not start because of the settled partners of its overlaps.
void OrderPacker::find_forbidden(uint32_t i) {
  forbidden_.clear();
  const auto size = static_cast<int64_t>(problem_.items[i].size_bytes);
  for (const Overlap& overlap : overlaps_[i]) {
    const bool is_input = overlap.input == i;
    const uint32_t other = is_input ? overlap.output : overlap.input;
    if (placed_[other] == kUnbounded) continue;
    const auto offset = static_cast<int64_t>(placed_[other]);
    const auto other_size = static_cast<int64_t>(problem_.items[other].size_bytes);
    Forbidden range{};
    if (is_input) {
      range = {offset - size, offset + std::min(overlap.lead_bytes, other_size)};
    } else {
      range = {offset - std::min(overlap.lead_bytes, size), offset + other_size};
    }
    forbidden_.push_back(range);
    partner_[other] = true;
  }
}

uint64_t OrderPacker::lowest(uint32_t i) {
  if (!solid_) return between_uses(i, Fit::kLowest);
  if (overlaps_.empty() || overlaps_[i].empty()) return scan(i, 0, true);
  find_forbidden(i);
  uint64_t offset = 0;
  for (bool moved = true; moved;) {
    moved = false;
    offset = scan(i, offset, false);
    for (const Forbidden& range : forbidden_) {
      const auto at = static_cast<int64_t>(offset);
      if (at <= range.low || at >= range.high) continue;
      offset = align_up(static_cast<uint64_t>(range.high), problem_.items[i].alignment);
      moved = true;
    }
  }
  for (const Overlap& overlap : overlaps_[i]) {
    partner_[overlap.input] = partner_[overlap.output] = false;
  }
  return offset;
}

// Finds the hole that smallest_hole finds, without a list of obstacles.
uint64_t OrderPacker::best_gap(uint32_t i) {
  if (!solid_) return between_uses(i, Fit::kBestGap);
  const Item& item = problem_.items[i];
  uint64_t running_end = 0;
  uint64_t smallest = UINT64_MAX;
  uint64_t best = 0;
  for (std::size_t k = 0; k < offset_.size(); ++k) {
    k = next_alive(k, item.lifetime);
    if (k == offset_.size()) break;
    if (offset_[k] >= running_end) {
      const uint64_t gap = offset_[k] - running_end;
      if (gap >= item.size_bytes && gap < smallest) {
        smallest = gap;
        best = running_end;
      }
    }
    running_end = std::max(running_end, align_up(end_[k], item.alignment));
  }
  work_ += offset_.size() + 1;
  return smallest == UINT64_MAX ? running_end : best;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

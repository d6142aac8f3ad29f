// Keeps the holes by offset through time: deaths give bytes back, births take the smallest hole.
#include "planner/memory/greedy/linear_scan.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/assert.h"

namespace arenite::memory {

namespace {

// Indices of items in order of birth, the larger first of those born together.
std::vector<uint32_t> by_birth(std::span<const Item> items) {
  std::vector<uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    if (items[a].lifetime.first != items[b].lifetime.first) {
      return items[a].lifetime.first < items[b].lifetime.first;
    }
    return items[a].size_bytes > items[b].size_bytes;
  });
  return order;
}

}  // namespace

LinearScan::LinearScan(std::vector<Obstacle> fixed) {
  std::sort(fixed.begin(), fixed.end(),
            [](const Obstacle& a, const Obstacle& b) { return a.begin < b.begin; });
  for (const Obstacle& bytes : fixed) {
    if (bytes.begin > top_) add_hole(top_, bytes.begin);
    top_ = std::max(top_, bytes.end);
  }
}

void LinearScan::add_hole(uint64_t begin, uint64_t end) {
  holes_.emplace(begin, end);
  by_size_.emplace(end - begin, begin);
}

void LinearScan::remove_hole(std::map<uint64_t, uint64_t>::iterator hole) {
  by_size_.erase({hole->second - hole->first, hole->first});
  holes_.erase(hole);
}

void LinearScan::give_back(uint64_t begin, uint64_t end) {
  const auto above = holes_.lower_bound(begin);
  if (above != holes_.begin()) {
    if (const auto below = std::prev(above); below->second == begin) {
      begin = below->first;
      remove_hole(below);
    }
  }
  if (above != holes_.end() && above->first == end) {
    end = above->second;
    remove_hole(above);
  }
  if (end == top_) {
    top_ = begin;
  } else {
    add_hole(begin, end);
  }
}

void LinearScan::let_die(uint32_t step) {
  for (; !deaths_.empty() && deaths_.top().last < step; deaths_.pop()) {
    give_back(deaths_.top().bytes.begin, deaths_.top().bytes.end);
  }
}

uint64_t LinearScan::find(uint32_t step, uint64_t size_bytes, uint64_t alignment) {
  constexpr int kTriesMax = 8;  // holes that are large enough, but for the alignment
  if (size_bytes == 0) return 0;
  let_die(step);
  auto hole = by_size_.lower_bound({size_bytes, 0});
  for (int tries = 0; tries < kTriesMax && hole != by_size_.end(); ++tries, ++hole) {
    const uint64_t begin = align_up(hole->second, alignment);
    if (begin + size_bytes <= hole->second + hole->first) return begin;
  }
  hole = by_size_.lower_bound({size_bytes + alignment - 1, 0});
  return align_up(hole != by_size_.end() ? hole->second : top_, alignment);
}

void LinearScan::reserve(std::vector<Reserved> reserved) {
  reserved_ = std::move(reserved);
  next_reserved_ = 0;
}

// Items that die before a birth leave their bytes to it, so births and deaths go in order of time.
void LinearScan::bear_reserved(uint32_t step) {
  for (; next_reserved_ < reserved_.size() && reserved_[next_reserved_].lifetime.first <= step;
       ++next_reserved_) {
    const Reserved& born = reserved_[next_reserved_];
    let_die(born.lifetime.first);
    take(born.lifetime.last, born.bytes);
  }
}

// The lowest aligned offset from `begin` on that nothing reserved needs up to step `last`.
uint64_t LinearScan::clear_from(uint64_t begin, uint64_t size_bytes, uint64_t alignment,
                                uint32_t last) const {
  uint64_t offset = align_up(begin, alignment);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t k = next_reserved_;
         k < reserved_.size() && reserved_[k].lifetime.first <= last; ++k) {
      const Obstacle& bytes = reserved_[k].bytes;
      if (offset >= bytes.end || bytes.begin >= offset + size_bytes) continue;
      offset = align_up(bytes.end, alignment);
      moved = true;
    }
  }
  return offset;
}

uint64_t LinearScan::find_clear(Lifetime lifetime, uint64_t size_bytes, uint64_t alignment) {
  constexpr int kTriesMax = 32;  // holes that are large enough
  if (size_bytes == 0) return 0;
  bear_reserved(lifetime.first);
  let_die(lifetime.first);
  auto hole = by_size_.lower_bound({size_bytes, 0});
  for (int tries = 0; tries < kTriesMax && hole != by_size_.end(); ++tries, ++hole) {
    const uint64_t begin = clear_from(hole->second, size_bytes, alignment, lifetime.last);
    if (begin + size_bytes <= hole->second + hole->first) return begin;
  }
  // The lowest of a few of the largest holes, or above all.
  hole = by_size_.end();
  for (int tries = 0; tries < kTriesMax && hole != by_size_.begin(); ++tries) {
    --hole;
    const uint64_t begin = clear_from(hole->second, size_bytes, alignment, lifetime.last);
    if (begin + size_bytes <= hole->second + hole->first) return begin;
  }
  return clear_from(top_, size_bytes, alignment, lifetime.last);
}

void LinearScan::take(uint32_t last, const Obstacle& bytes) {
  if (bytes.begin == bytes.end) return;
  deaths_.push({last, bytes});
  if (bytes.begin >= top_) {
    if (bytes.begin > top_) add_hole(top_, bytes.begin);
    top_ = bytes.end;
    return;
  }
  ARENITE_ASSERT(holes_.upper_bound(bytes.begin) != holes_.begin());
  const auto hole = std::prev(holes_.upper_bound(bytes.begin));
  const auto [begin, end] = *hole;
  ARENITE_ASSERT(bytes.end <= end);
  remove_hole(hole);
  if (begin < bytes.begin) add_hole(begin, bytes.begin);
  if (bytes.end < end) add_hole(bytes.end, end);
}

std::vector<uint64_t> linear_scan(std::span<const Item> items) {
  std::vector<Obstacle> fixed;
  for (const Item& item : items) {
    if (!item.fixed || item.size_bytes == 0) continue;
    fixed.push_back({item.fixed->offset, item.fixed->offset + item.size_bytes});
  }
  LinearScan scan(std::move(fixed));
  std::vector<uint64_t> offsets(items.size(), 0);
  for (const uint32_t i : by_birth(items)) {
    const Item& item = items[i];
    if (item.fixed) {
      offsets[i] = item.fixed->offset;
      continue;
    }
    offsets[i] = scan.find(item.lifetime.first, item.size_bytes, item.alignment);
    scan.take(item.lifetime.last, {offsets[i], offsets[i] + item.size_bytes});
  }
  return offsets;
}

ItemPlan linear_scan(const CheckedProblem& problem) {
  const std::vector<Item>& items = problem.items();
  std::vector<std::vector<Obstacle>> fixed(problem.memories().size());
  for (const Item& item : items) {
    if (!item.fixed || item.size_bytes == 0) continue;
    const uint64_t offset = item.fixed->offset;
    fixed[item.fixed->memory].push_back({offset, offset + item.size_bytes});
  }
  std::vector<LinearScan> scans;
  scans.reserve(fixed.size());
  for (std::vector<Obstacle>& one : fixed) scans.emplace_back(std::move(one));
  ItemPlan plan{std::vector<Placement>(items.size()), std::nullopt};
  for (const uint32_t i : by_birth(items)) {
    const Item& item = items[i];
    if (item.fixed) {
      plan.placements[i] = *item.fixed;
      continue;
    }
    const Spot spot = first_spot(problem, item, [&](uint32_t memory) {
      return scans[memory].find(item.lifetime.first, item.size_bytes,
                                problem.alignment_in(item, memory));
    });
    if (spot.overshoot_bytes != 0 && !plan.first_unplaced) plan.first_unplaced = i;
    plan.placements[i] = spot.placement;
    const uint64_t begin = spot.placement.offset;
    scans[spot.placement.memory].take(item.lifetime.last, {begin, begin + item.size_bytes});
  }
  return plan;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Keeps a tree of latest deaths over births, and blocks of obstacles sorted by offset.
#include "planner/memory/greedy/neighbors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace arenite::memory {

TimeIndex::TimeIndex(std::span<const Lifetime> lifetimes)
    : by_birth_(lifetimes.size()),
      rank_(lifetimes.size()),
      leaves_(std::bit_ceil(std::max<std::size_t>(lifetimes.size(), 1))),
      latest_end_(2 * leaves_, 0) {
  std::iota(by_birth_.begin(), by_birth_.end(), 0u);
  std::stable_sort(by_birth_.begin(), by_birth_.end(),
                   [&](uint32_t a, uint32_t b) { return lifetimes[a].first < lifetimes[b].first; });
  births_.reserve(by_birth_.size());
  last_.reserve(by_birth_.size());
  for (uint32_t place = 0; place < by_birth_.size(); ++place) {
    rank_[by_birth_[place]] = place;
    births_.push_back(lifetimes[by_birth_[place]].first);
  }
  for (const Lifetime& lifetime : lifetimes) last_.push_back(uint64_t{lifetime.last} + 1);
}

void TimeIndex::switch_on(uint32_t entry) {
  for (std::size_t node = leaves_ + rank_[entry]; node >= 1; node /= 2) {
    if (latest_end_[node] >= last_[entry]) break;  // so those above it do too
    latest_end_[node] = last_[entry];
  }
}

bool TimeIndex::collect(Lifetime lifetime, std::size_t limit, std::vector<uint32_t>& found) const {
  found.clear();
  const auto end = std::upper_bound(births_.begin(), births_.end(), lifetime.last);
  const auto born = static_cast<std::size_t>(end - births_.begin());
  return collect_below(1, 0, {born, lifetime.first, limit}, found);
}

// `begin` is the place of the node's leftmost leaf.
bool TimeIndex::collect_below(std::size_t node, std::size_t begin, const Query& query,
                              std::vector<uint32_t>& found) const {
  if (begin >= query.end || latest_end_[node] <= query.first) return true;
  if (node >= leaves_) {
    found.push_back(by_birth_[begin]);
    return found.size() <= query.limit;
  }
  const std::size_t half = leaves_ >> static_cast<std::size_t>(std::bit_width(node));
  return collect_below(2 * node, begin, query, found) &&
         collect_below(2 * node + 1, begin + half, query, found);
}

namespace {

constexpr auto kByOffset = [](const Obstacle& a, const Obstacle& b) { return a.begin < b.begin; };

// Overlaps only a lifetime of all 2^32 steps, for which the scan looks at the count as well.
constexpr Lifetime kNever = {UINT32_MAX, 0};

}  // namespace

OffsetOrder::Block::Block() {
  first.fill(kNever.first);
  last.fill(kNever.last);
}

void OffsetOrder::Block::insert(Lifetime lifetime, Obstacle added) {
  const auto end = obstacle.begin() + static_cast<std::ptrdiff_t>(count);
  const auto at = std::upper_bound(obstacle.begin(), end, added, kByOffset) - obstacle.begin();
  const auto to_end = static_cast<std::ptrdiff_t>(count);
  std::move_backward(obstacle.begin() + at, end, end + 1);
  std::move_backward(first.begin() + at, first.begin() + to_end, first.begin() + to_end + 1);
  std::move_backward(last.begin() + at, last.begin() + to_end, last.begin() + to_end + 1);
  const auto place = static_cast<std::size_t>(at);
  obstacle[place] = added;
  first[place] = lifetime.first;
  last[place] = lifetime.last;
  ++count;
}

void OffsetOrder::Block::move_upper_half_to(Block& other) {
  const std::size_t kept = count / 2;
  for (std::size_t i = kept; i < count; ++i) {
    other.obstacle[i - kept] = obstacle[i];
    other.first[i - kept] = first[i];
    other.last[i - kept] = last[i];
    first[i] = kNever.first;
    last[i] = kNever.last;
  }
  other.count = count - kept;
  count = kept;
}

void OffsetOrder::insert(Lifetime lifetime, Obstacle obstacle) {
  if (blocks_.empty()) blocks_.push_back(std::make_unique<Block>());
  // The last block that starts at or below the offset; the first block takes whatever is lower.
  auto above = std::upper_bound(blocks_.begin() + 1, blocks_.end(), obstacle,
                                [](const Obstacle& a, const std::unique_ptr<Block>& block) {
                                  return a.begin < block->obstacle[0].begin;
                                });
  Block& block = **std::prev(above);
  block.insert(lifetime, obstacle);
  if (block.count == kBlock) {
    auto upper = std::make_unique<Block>();
    block.move_upper_half_to(*upper);
    blocks_.insert(above, std::move(upper));
  }
}

void OffsetOrder::collect(Lifetime lifetime, std::vector<Obstacle>& found) const {
  for (const std::unique_ptr<Block>& block : blocks_) {
    for (std::size_t lane = 0; lane < block->count; lane += kLane) {
      // Written without branches, over a constant number of items, to be compiled to vector code.
      std::array<uint8_t, kLane> alive;
      for (std::size_t i = 0; i < kLane; ++i) {
        const int born = block->first[lane + i] <= lifetime.last;
        const int not_dead = block->last[lane + i] >= lifetime.first;
        alive[i] = static_cast<uint8_t>(born & not_dead);
      }
      for (std::size_t i = 0; i < kLane; i += sizeof(uint64_t)) {
        uint64_t flags = 0;
        std::memcpy(&flags, &alive[i], sizeof(flags));
        if (flags == 0) continue;
        for (std::size_t j = 0; j < sizeof(uint64_t); ++j) {
          const std::size_t place = lane + i + j;
          if (alive[i + j] != 0 && place < block->count) found.push_back(block->obstacle[place]);
        }
      }
    }
  }
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

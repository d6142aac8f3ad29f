// Packs items one after the other, each at the lowest offset that is free: a packing from an order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/memory/pack/pack.h"
#include "planner/memory/problem/uses.h"

namespace arenite::memory {

enum class Fit {
  kLowest,   // the lowest hole that holds the item, overlaps used
  kBestGap,  // the smallest hole that holds it, overlaps ignored: greedy by size for one memory
};

// Keeps its tables from one order to the next. `problem` must outlive it.
class OrderPacker {
 public:
  // `watch` may be null.
  OrderPacker(const PackProblem& problem, const Watch* watch);

  // Fixed items first, then the others as `order` (each item once, fixed ones skipped) says.
  // Returns the height, and `offsets` gets one offset an item; nothing where it was ended before.
  std::optional<uint64_t> pack(std::span<const uint32_t> order, Fit fit,
                               std::vector<uint64_t>& offsets);

  uint64_t work() const { return work_; }    // obstacles looked at so far
  uint64_t moved() const { return moved_; }  // settled items that made room for one below them

 private:
  uint64_t lowest(uint32_t i);
  uint64_t best_gap(uint32_t i);
  uint64_t between_uses(uint32_t i, Fit fit);
  std::size_t next_alive(std::size_t k, Lifetime life) const;
  uint64_t scan(uint32_t i, uint64_t from, bool with_partners);
  void find_forbidden(uint32_t i);
  void find_obstacles(uint32_t i, Fit fit);
  void settle(uint32_t i, uint64_t offset);

  bool ended();

  const PackProblem& problem_;
  const Watch* watch_;
  bool solid_;                                  // no item has gaps
  std::vector<std::vector<Overlap>> overlaps_;  // of each item; empty when there are none
  // Settled items in order of offset.
  std::vector<uint64_t> offset_, end_;
  std::vector<uint32_t> first_, last_, item_;
  std::vector<uint64_t> placed_;  // offset of each item, kUnbounded where not settled
  std::vector<bool> partner_;     // of the item being placed
  std::vector<Forbidden> forbidden_;
  std::vector<Obstacle> obstacles_;  // where items have gaps
  std::vector<uint32_t> fixed_;      // items, in order of offset
  uint64_t work_ = 0;
  uint64_t moved_ = 0;
  uint64_t next_look_ = 0;  // at the watch
};

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

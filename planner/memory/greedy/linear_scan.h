// Gives items room in order of birth: a plan in a moment, for when there is no time for a better
// one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "planner/memory/greedy/greedy.h"
#include "planner/memory/problem/uses.h"

namespace arenite::memory {

// One memory, walked through in time as an allocator at run time would be (register allocators call
// it linear scan; Poletto and Sarkar, 1999), with best fit. Gaps and overlaps are not used.
// O(log n) an item.
class LinearScan {
 public:
  // Bytes of fixed items are kept free of others at all times.
  explicit LinearScan(std::vector<Obstacle> fixed);

  // Returns the offset for an item born at `step`, no earlier than those before: in the smallest
  // hole that holds it, else above all.
  uint64_t find(uint32_t step, uint64_t size_bytes, uint64_t alignment);

  // Bytes that an item placed before will take from its birth on.
  struct Reserved {
    Lifetime lifetime;
    Obstacle bytes;
  };
  // In order of birth; disjoint where they meet.
  void reserve(std::vector<Reserved> reserved);

  // Like find(), but the place is also clear of reserved bytes up to the item's last step.
  uint64_t find_clear(Lifetime lifetime, uint64_t size_bytes, uint64_t alignment);

  // Puts an item up to step `last` where room was found for it.
  void take(uint32_t last, const Obstacle& bytes);

 private:
  void let_die(uint32_t step);
  void bear_reserved(uint32_t step);
  uint64_t clear_from(uint64_t begin, uint64_t size_bytes, uint64_t alignment, uint32_t last) const;
  void add_hole(uint64_t begin, uint64_t end);
  void remove_hole(std::map<uint64_t, uint64_t>::iterator hole);
  void give_back(uint64_t begin, uint64_t end);

  struct Death {
    uint32_t last;
    Obstacle bytes;
    bool operator>(const Death& other) const { return last > other.last; }
  };
  std::priority_queue<Death, std::vector<Death>, std::greater<>> deaths_;
  // Free bytes below top_, from begin to end; no two touch, and none touches top_.
  std::map<uint64_t, uint64_t> holes_;
  std::set<std::pair<uint64_t, uint64_t>> by_size_;  // the same: size and begin
  uint64_t top_ = 0;                                 // all is free from here on
  std::vector<Reserved> reserved_;
  std::size_t next_reserved_ = 0;  // the first that is not born yet
};

// All items of one memory: an offset each.
std::vector<uint64_t> linear_scan(std::span<const Item> items);

// All items, each in the first of its memories that has room.
ItemPlan linear_scan(const CheckedProblem& problem);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

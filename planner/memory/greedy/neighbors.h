// Finds what was placed already near an item: by time, and by offset.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "planner/memory/problem/problem.h"
#include "planner/memory/problem/uses.h"

namespace arenite::memory {

// A tree over all entries sorted by birth that keeps, for each node, the latest death among the
// entries switched on: a query walks only into nodes that hold an answer, so it costs
// O(log n) for each entry found.
class TimeIndex {
 public:
  explicit TimeIndex(std::span<const Lifetime> lifetimes);

  void switch_on(uint32_t entry);

  // Replaces `found` by the entries alive during `lifetime`, in order of birth. Gives up and
  // returns false when there are more than `limit`; what is in `found` is then of no use.
  bool collect(Lifetime lifetime, std::size_t limit, std::vector<uint32_t>& found) const;

 private:
  struct Query {
    std::size_t end = 0;  // number of entries born early enough
    uint32_t first = 0;
    std::size_t limit = 0;
  };
  bool collect_below(std::size_t node, std::size_t begin, const Query& query,
                     std::vector<uint32_t>& found) const;

  std::vector<uint32_t> by_birth_;    // entries, sorted by first step
  std::vector<uint32_t> births_;      // their first steps
  std::vector<uint32_t> rank_;        // entry -> its place in by_birth_
  std::vector<uint64_t> last_;        // entry -> last step + 1
  std::size_t leaves_ = 1;            // power of two
  std::vector<uint64_t> latest_end_;  // tree in heap order: last step + 1, 0 where none is on
};

// Blocks of a few hundred items, so that an insertion moves little; lifetimes lie in arrays of
// their own, so that the scan compares many at a time.
class OffsetOrder {
 public:
  void insert(Lifetime lifetime, Obstacle obstacle);

  // Appends the obstacles alive during `lifetime` to `found`, lowest offset first.
  void collect(Lifetime lifetime, std::vector<Obstacle>& found) const;

 private:
  static constexpr std::size_t kLane = 64;  // lifetimes compared together
  static constexpr std::size_t kBlock = 8 * kLane;

  struct Block {
    std::size_t count = 0;
    std::array<uint32_t, kBlock> first;  // beyond `count`: dead before birth
    std::array<uint32_t, kBlock> last;
    std::array<Obstacle, kBlock> obstacle;
    Block();
    void insert(Lifetime lifetime, Obstacle added);
    void move_upper_half_to(Block& other);
  };

  std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

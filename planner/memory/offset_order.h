// Placed items of one memory in offset order, with a fast scan for those alive at given steps.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "planner/memory/holes.h"
#include "planner/memory/problem.h"

namespace arenite::memory {

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

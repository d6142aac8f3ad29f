// Finds room for an item between what is in its way in one memory.
#pragma once

#include <cstdint>
#include <span>

#include "planner/memory/uses.h"

namespace arenite::memory {

// What is in the way of the item at hand: it meets it where it starts before `end` and ends after
// `begin`. Bytes that are taken; where one of the two has gaps, as much of them as there is need to
// keep apart from: then `end` may be below `begin`, when the two need only miss each other by less
// than the item's size.
struct Obstacle {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Starts of an item of that size, from another's start at `offset`, as an obstacle to it.
// `range.low` must not be below -size_bytes.
Obstacle obstacle_of(const Forbidden& range, uint64_t offset, uint64_t size_bytes);

// The offset, a multiple of `alignment`, for `size_bytes` among obstacles in order of `begin`: one
// where it meets none of them, at the end of the memory or beyond it where there is no other.
using HoleRule = uint64_t (*)(std::span<const Obstacle> obstacles, uint64_t size_bytes,
                              uint64_t alignment);

// The lowest hole that holds it.
uint64_t lowest_hole(std::span<const Obstacle> obstacles, uint64_t size_bytes, uint64_t alignment);

// The smallest hole that holds it, the lowest of several; else above them all.
uint64_t smallest_hole(std::span<const Obstacle> obstacles, uint64_t size_bytes,
                       uint64_t alignment);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

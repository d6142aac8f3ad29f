// When which bytes of a buffer or of a rigid item hold data, where two of them cannot lie, and the
// holes that are left between them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/memory/problem/problem.h"

namespace arenite::memory {

// A buffer's uses in order of time: all its bytes where no gap says otherwise. Gaps as
// CheckedProblem accepts them.
std::vector<Use> uses_of(const Buffer& buffer);

// The bytes of the buffer in use at a step; nothing: it holds no data then.
std::optional<ByteRange> in_use_at(const Buffer& buffer, uint32_t step);

// The starts of one item, from the start of another one, at which the two would share bytes: those
// strictly between `low` and `high`.
//
//   time ->          a's start - b's start <= low: a lies below b
//   +-----+---+      >= high: a lies above b
//   |  b  |   |
//   +--+--+---+      Each two uses at one step forbid a range; between two such ranges nothing is
//   |a    | b        free, as in minimalloc (effective_size), so that its users can take our plans.
//   +-----+
struct Forbidden {
  int64_t low = 0;
  int64_t high = 0;

  bool any() const { return low < high; }
};

Forbidden forbidden_starts(const Item& a, const Item& b);

// An obstacle of the item at hand, which meets it if it starts before `end` and ends after `begin`.
// These are bytes that are taken. If one of the two has gaps, they are only the bytes that must be
// kept apart: then `end` may be below `begin`, when the two need only miss each other by less than
// the item's size.
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

// When which bytes of a buffer or of a rigid item hold data, and where two of them cannot lie.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/memory/problem.h"

namespace arenite::memory {

// Bytes in use from step to step, counted from the start of their owner.
struct Use {
  Lifetime steps;
  ByteRange bytes;  // never empty
};

// A buffer's uses in order of time: all its bytes where no gap says otherwise. Gaps as `validate`
// accepts them.
std::vector<Use> uses_of(const Buffer& buffer);

// What of the buffer is in use at a step; nothing: it holds no data then.
std::optional<ByteRange> in_use_at(const Buffer& buffer, uint32_t step);

// A rigid item as time and space see it.
struct Extent {
  Lifetime lifetime;
  uint64_t size_bytes = 0;
  bool solid = true;          // all its bytes are in use during all its lifetime
  std::span<const Use> uses;  // where it is not: in order of time, apart from one another
};

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

Forbidden forbidden_starts(const Extent& a, const Extent& b);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

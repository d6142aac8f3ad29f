// Forbidden distances between items: all that a search has to know of overlaps, gaps and groups.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/pack/pack.h"

namespace arenite::memory {

// The start of item `a` less the start of item `b` is not strictly between `low` and `high`.
struct Conflict {
  uint32_t a = 0;
  uint32_t b = 0;
  int64_t low = 0;
  int64_t high = 0;

  bool operator==(const Conflict&) const = default;
};

// The bytes that count as taken. Each level forbids less than the one before:
//   kItems    an item is one block, or what is in use of it from its first to its last byte
//   kBuffers  the buffers of a group are apart; what is between two ranges that a pair of buffers
//             forbids is taken, as in minimalloc (uses.h): plans may use what is left
//   kUses     just the bytes in use, as the verifier has it: what is proved of these is proved of
//             all plans
enum class Detail { kItems, kBuffers, kUses };

// Sorted by `a`, `b` and `low`, with a < b; those of one pair are disjoint. Overlaps are in them:
//
//   input - output   -size in         lead     size out
//   --------------------o---------------|---------o------->   forbidden from o to |, where without
//        apart          forbidden         permitted  apart    the overlap all is up to the second o
std::vector<Conflict> find_conflicts(const PackProblem& problem, Detail detail);

// When which bytes of an item are in use, and whose they are.
std::vector<Part> parts_of(const Item& item);

// Pairs of items that live together: an upper bound on the conflicts of solid items.
uint64_t count_pairs(std::span<const Item> items);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

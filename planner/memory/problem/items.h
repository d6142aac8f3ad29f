// Turns buffers and the views tied to them into the rigid items that the algorithms place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/problem/problem.h"

namespace arenite::memory {

class CheckedProblem;

// The place of a buffer in its rigid group: `offset_bytes` from the start of `root`.
struct Anchor {
  uint32_t root = 0;
  uint64_t offset_bytes = 0;
};

// One anchor for each buffer; a buffer that is not relative is its own root. Throws InputError
// naming a buffer whose base does not exist, is itself through a cycle, or is too far away.
std::vector<Anchor> find_anchors(std::span<const Buffer> buffers);

// The items of a problem in the order of their roots, and the item of each buffer. Throws
// InputError as CheckedProblem describes, which is what calls it.
std::vector<Item> make_items(const Problem& problem, std::span<const Anchor> anchors,
                             std::vector<uint32_t>& item_of);

// CheckedProblem::item_overlaps.
std::vector<Overlap> overlaps_of_items(const Problem& problem, std::span<const Anchor> anchors,
                                       std::span<const Item> items,
                                       std::span<const uint32_t> item_of);

std::vector<Lifetime> lifetimes_of(std::span<const Item> items);

// Whether a proof about items is a proof about the buffers in them. An item stands for its buffers
// from the first birth to the last death, with all of its bytes. If buffers of a group leave some
// of them free for a while, a plan may put others there, below the bound of the items; and an
// overlap may be had with a part of the group.
//
//   time ->        The item is the whole square, but c may lie beside b.
//   +---+---+
//   |   | b |
//   +---+---+
//   | a | c?|
//   +---+---+
//
// So the answer is yes where each item of several buffers has all its bytes in use at each step of
// its lifetime, and no overlap is one of theirs.
bool items_are_exact(const CheckedProblem& problem);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

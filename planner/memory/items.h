// Turns buffers and the views tied to them into the rigid items that the algorithms place.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/memory/problem.h"
#include "planner/memory/uses.h"

namespace arenite::memory {

// Where a buffer sits in the rigid group it belongs to: `offset_bytes` from the start of `root`.
struct Anchor {
  uint32_t root = 0;
  uint64_t offset_bytes = 0;
};

// One anchor for each buffer; a buffer that is not relative is its own root. Throws InputError
// naming a buffer whose base does not exist, is itself through a cycle, or is too far away.
std::vector<Anchor> find_anchors(std::span<const Buffer> buffers);

// A root with everything tied to it. Its lifetime runs from the first birth to the last death in
// the group: the parts of a concatenation are born before the whole, a view may outlive its base.
struct Item {
  uint32_t root = 0;
  uint64_t size_bytes = 0;  // from the root's start to the end of the furthest member
  uint64_t alignment = 1;   // of the root's offset, before the memory's own
  Lifetime lifetime;
  std::vector<uint32_t> allowed;  // memories allowed to every member, in order of preference
  std::optional<Placement> fixed;
  // All its bytes are taken during all its lifetime, whatever its members leave free. A member with
  // gaps makes it less: then `uses` says from which to which byte its members hold data, and when.
  bool solid = true;
  std::vector<Use> uses = {};

  Extent extent() const { return {lifetime, size_bytes, solid, uses}; }
};

// The items of a problem in the order of their roots. Throws InputError as `validate` describes.
std::vector<Item> make_items(const Problem& problem, std::span<const Anchor> anchors);

// Least multiple of both, or 0 when it is above 2^32.
uint64_t common_alignment(uint64_t a, uint64_t b);

// `offset` rounded up to a multiple of `alignment`.
constexpr uint64_t align_up(uint64_t offset, uint64_t alignment) {
  const uint64_t rest = offset % alignment;
  return rest == 0 ? offset : offset + (alignment - rest);
}

// Two items that may share bytes at the one step at which both live, where
//   offset(input) >= offset(output) + lead_bytes
struct Sharing {
  uint32_t input = 0;  // items; the input dies at the step at which the output is born
  uint32_t output = 0;
  int64_t lead_bytes = 0;
};

// Sorted by output, then input. Items may share only if at that step every member of the one has
// permission for every member of the other: the lead is the largest that any pair asks for.
std::vector<Sharing> find_sharings(const Problem& problem, std::span<const Anchor> anchors,
                                   std::span<const Item> items);

// An item stands for its buffers from the first birth to the last death, all of its bytes. Where
// buffers of a group leave some of them free for a while, a plan may put others there, which is
// below what is proved of the items; and an overlap may be had with a part of the group.
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
bool items_are_exact(const Problem& problem, std::span<const Anchor> anchors,
                     std::span<const Item> items);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

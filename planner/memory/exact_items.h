// Whether what is proved of rigid items is proved of the buffers in them.
#pragma once

#include <span>

#include "planner/memory/items.h"
#include "planner/memory/problem.h"

namespace arenite::memory {

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

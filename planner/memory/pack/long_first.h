// Packs very many items: the longest-lived by an order, the others between them by linear scan.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "planner/memory/pack/pack.h"
#include "planner/memory/problem/budget.h"

namespace arenite::memory {

// Packing by an order looks at all items placed before, so n items cost n^2. Of very many items,
// most are gone soon: in traces of training runs 3 in 100 hold nearly all bytes (Lamprou et al.,
// "Safe optimized static memory allocation for parallel deep learning", MLSys 2023, part buffers by
// length of life in the same way).
//   1. The kLongMax longest-lived items, and the fixed ones, are packed by an order (in_order.h).
//   2. The others, the larger ones first, are placed in order of birth, each in the smallest hole
//      that holds it and that nothing placed before will need before it dies: linear scan
//      (greedy/linear_scan.h), O(log n) an item.
//   3. The best of a few orders is kept.
//
//   bytes +--------------------+     the long ones first; s, t and u pass below and between them,
//         |        long        |     u above t since `long 2` is born before u dies
//         +---+  +---+ u +-----+
//         | s |  | t +---+long2|
//         +---+--+---+---+-----+  time
//
// No overlaps, no gaps. Nothing where `watch`, which may be null, ended it before any order was
// done.
std::optional<Packing> pack_long_first(const PackProblem& problem, uint64_t goal,
                                       const Watch* watch);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

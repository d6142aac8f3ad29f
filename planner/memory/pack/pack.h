// Finds offsets in one memory: the step between which items share it and the finished plan.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/problem/budget.h"
#include "planner/memory/problem/problem.h"

namespace arenite::memory {

// The items of one memory: their alignments include the memory's, `root` and `allowed` do not
// matter, and where one is fixed only the offset counts.
struct PackProblem {
  std::vector<Item> items;
  std::vector<Overlap> overlaps;              // of items
  std::vector<Overlap> buffer_overlaps = {};  // of the buffers in items of several parts
  uint64_t capacity_bytes = kUnbounded;       // a height up to this will do; kUnbounded: the least
  bool blocks_are_exact = true;  // what is proved of items is proved of their buffers (items.h)

  bool has_gaps() const;  // some item is not solid
};

// The work that a problem of this size deserves: up to half a second for a few hundred items, up to
// three where many hundreds live at once.
inline constexpr uint64_t kWorkBySize = 0;

struct PackLimits {
  uint64_t work_max = kWorkBySize;  // inner steps, about one a nanosecond; the best plan is kept
  const Watch* watch = nullptr;     // ends it before: then the best plan depends on the machine
  uint64_t seed = 0;
  bool portfolio_only = false;     // orders alone, no search behind them
  bool stop_when_it_fits = false;  // any height within the capacity will do
};

struct Packing {
  std::vector<uint64_t> offsets;  // one an item, valid whether or not the capacity was met
  uint64_t height = 0;            // end of the highest item
  uint64_t lower_bound = 0;       // no packing of these items is lower
};

// The end of the highest item.
uint64_t height_of(const PackProblem& problem, std::span<const uint64_t> offsets);

// Tells a watch what `doing` has found so far; `watch` may be null.
void tell_progress(const Watch* watch, const Packing& best, const char* doing);

// Connected components in time are packed one by one, the one with the highest bound first, so that
// no other needs to be lower than it. Each of them:
//   1. by orders (orders.h), until one meets the bound;
//   2. by exact search over a skyline (skyline_search.h), unless there are very many items; where
//      there are overlaps or gaps, by one over precedences (precedence_packer.h), shortly;
//   3. by local search over orders (local_search.h);
//   4. by ejection search (ejection_search.h), where nothing limits the work but the size;
//   5. by exact search over precedences, at length, where items are not blocks beside each other.
// If the clock alone limits the work (UINT64_MAX), all this is done as by the problem's size. Then
// the highest component is searched on, exact search and ejection search by turns: more time never
// ends higher. The search ends at the lower bound, at `capacity_bytes`, or when a limit is reached.
// It is deterministic unless `watch` ends it. If `watch` does so before any order is done, the
// result is that of linear scan (linear_scan.h).
//
//   bytes +---+  +--+    |  +----+      time ->
//         |   +--+  |    |  |    |      two components: no lifetime crosses the line
//         +---------+    |  +----+
Packing pack(PackProblem problem, const PackLimits& limits);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

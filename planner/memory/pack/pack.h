// Finds offsets in one memory: components that never meet in time are packed one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "planner/memory/pack/budget.h"
#include "planner/memory/problem.h"
#include "planner/memory/uses.h"
#include "planner/memory/watch.h"

namespace arenite::memory {

// One rigid item of one memory.
struct PackItem {
  uint64_t size_bytes = 0;
  uint64_t alignment = 1;  // the memory's own included
  Lifetime lifetime;       // both ends included
  std::optional<uint64_t> fixed_offset;
  bool solid = true;           // as of Item
  std::vector<Use> uses = {};  // as of Item

  Extent extent() const { return {lifetime, size_bytes, solid, uses}; }
};

// Overlap between items; see problem.h. Indices are of PackProblem::items.
struct PackOverlap {
  uint32_t input = 0;
  uint32_t output = 0;
  int64_t lead_bytes = 0;
};

struct PackProblem {
  std::vector<PackItem> items;
  std::vector<PackOverlap> overlaps;
  uint64_t capacity_bytes = kUnbounded;  // a height up to this will do; kUnbounded: the least

  bool has_gaps() const;  // some item is not solid
};

// As many steps as a problem of this size deserves: up to half a second for a few hundred items, up
// to three where many hundreds live at once.
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

// Says what `doing` has brought so far to whoever watches; `watch` may be null.
void tell_progress(const Watch* watch, const Packing& best, const char* doing);

// Packs by a portfolio of orders (portfolio.h), then by exact search (skyline_search.h) or, with
// overlaps, gaps or very many items, by local search (polish.h). Stops at the lower bound, at
// `capacity_bytes`, or when a limit is reached. Deterministic while `watch` does not end it; where
// it does before any order is done, by linear scan (linear_scan.h).
Packing pack(const PackProblem& problem, const PackLimits& limits);

// Stops when the height is `goal` or less or within the problem's capacity. No result is higher
// than that of greedy by size, whatever the budget.
Packing pack_part(const PackProblem& problem, uint64_t goal, const PackLimits& limits,
                  Budget& budget);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

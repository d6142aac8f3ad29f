// What the placement of buffers costs in traffic, and the problem of making that least.
#pragma once

#include <span>
#include <vector>

#include "planner/memory/assign.h"
#include "planner/memory/items.h"
#include "planner/memory/problem.h"

namespace arenite::memory {

// Cost of a byte read or written, by memory. Where a problem gives all its memories the same costs,
// only their order tells them apart: then a byte in the first costs nothing, in the second 1, and
// each further one costs a little more, so that what leaves the first memory counts before all.
struct MemoryCosts {
  std::vector<double> read;
  std::vector<double> write;
  bool by_order = false;  // the problem gave no costs that differ
};

MemoryCosts memory_costs(const Problem& problem);

// Sum over the buffers of bytes x (reads x read cost + writes x write cost) of their memories. In
// a problem without any reads and writes each buffer counts as read once.
double traffic_cost(const Problem& problem, const Solution& solution);

// The items of a problem as one of which memory. `anchors` as in make_items.
AssignProblem make_assign_problem(const Problem& problem, std::span<const Anchor> anchors,
                                  std::span<const Item> items);

// A traffic cost that no plan goes below, whatever its offsets, by prices on live sets (prices.h);
// where that is cheap to find, the least cost at which the live bytes fit. kNotAllowed: nothing
// fits. The problem is as `validate` accepts it.
double traffic_bound(const Problem& problem);

// Bytes x (reads + writes) that every plan has outside the first memory: proved like traffic_bound,
// whatever the memories' costs. `known_bytes` is what some plan has there; where that is the least
// the bound is often the same. The problem is as `validate` accepts it.
uint64_t slow_traffic_bound(const Problem& problem, uint64_t known_bytes,
                            const Watch* watch = nullptr);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Many orders in which to pack items, best first: what a single greedy order misses, another finds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/pack/in_order.h"
#include "planner/memory/pack/live_sets.h"
#include "planner/memory/pack/pack.h"

namespace arenite::memory {

// The number of orders, and how many of them are tried whatever the budget, unless one meets the
// bound. Greedy by size is among these, so that no result is higher than greedy's.
uint32_t portfolio_size();
uint32_t portfolio_always();

// The name of order k, for reports and benchmarks.
const char* portfolio_name(uint32_t k);

// Makes the orders of one problem, one at a time, as few of them are needed for most problems.
class Portfolio {
 public:
  Portfolio(const PackProblem& problem, const LiveSets& sets);

  // Order k, and the fit that it is for.
  std::span<const uint32_t> order(uint32_t k);
  Fit fit(uint32_t k) const;

 private:
  const PackProblem& problem_;
  std::vector<double> load_;  // most bytes live with each item, as a part of the most bytes live
  std::vector<uint32_t> order_;
};

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

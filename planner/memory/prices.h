// Prices on the bytes of each live set: a certificate that no assignment to memories is cheaper.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/assign.h"

namespace arenite::memory {

// The steps at which a live set is maximal: capacities need to hold there only.
struct PeakSteps {
  struct Range {
    uint32_t first = 0;  // indices of steps, both ends included
    uint32_t last = 0;
  };
  std::vector<uint32_t> steps;
  std::vector<Range> of_item;  // never empty
};

PeakSteps find_peak_steps(std::span<const Lifetime> lifetimes);

// A price for a byte of each memory at each maximal live set, and the bound they prove:
//   sum over items of the least (cost + bytes x prices while alive) - sum of prices x capacity.
// True for any prices that are not negative (weak duality), so that it can be checked by hand.
struct Prices {
  std::vector<double> price;  // [live set][memory], not negative
  double bound = 0;
};

// The bound of given prices. Sharings count as if all of them saved all they can.
double priced_bound(const AssignProblem& problem, const PeakSteps& sets,
                    std::span<const double> price);

// Good prices by subgradient ascent. `cost_max`: the cost of a known assignment, or kNotAllowed;
// `watch` may be null.
Prices find_prices(const AssignProblem& problem, const PeakSteps& sets, double cost_max,
                   const Watch* watch);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

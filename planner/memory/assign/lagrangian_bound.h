// Lagrangian multipliers on the bytes of each live set: a bound that no assignment to memories
// beats.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/assign/assign.h"

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

// Splits the bound of some prices by time, so that a sweep can ask for the part that lies ahead:
//   tail of each live item - past of its bytes + rest
// is the least that the prices ask of what is ahead of a partial assignment.
class Outlook {
 public:
  Outlook(const AssignProblem& problem, const PeakSteps& peaks, const Prices& prices,
          std::span<const uint32_t> births);

  // Price of a byte of a memory at all peak steps before one.
  double past(std::size_t peak, uint32_t memory) const { return sums_[peak * memories_ + memory]; }

  // What an item pays from the start of time to its end.
  double tail(uint32_t item, uint32_t memory) const {
    const double until = past(std::size_t{peaks_.of_item[item].last} + 1, memory);
    return until == 0 ? 0 : static_cast<double>(problem_.bytes_in(item, memory)) * until;
  }

  // What the items from a place in the order on cost at least, less what the room of all peak
  // steps from one on gives back.
  double rest(std::size_t place, std::size_t peak) const { return costs_[place] - rooms_[peak]; }

 private:
  void add_costs(std::span<const uint32_t> births);
  void add_rooms(const Prices& prices);

  const AssignProblem& problem_;
  const PeakSteps& peaks_;
  std::size_t memories_;
  std::vector<double> sums_;   // [peak step][memory]
  std::vector<double> costs_;  // by place
  std::vector<double> rooms_;  // by peak step
};

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

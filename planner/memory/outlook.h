// What prices say of the items that a partial assignment has not placed yet.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/memory/assign.h"
#include "planner/memory/prices.h"
#include "planner/memory/sweep_order.h"

namespace arenite::memory {

// Splits the bound of some prices by time, so that a sweep can ask for the part that lies ahead:
//   tail of each live item - past of its bytes + rest
// is the least that the prices ask of what is ahead of a partial assignment.
class Outlook {
 public:
  Outlook(const AssignProblem& problem, const PeakSteps& peaks, const Prices& prices,
          const SweepOrder& order);

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
  void add_costs(const SweepOrder& order);
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

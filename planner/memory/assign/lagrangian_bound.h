// Lagrangian multipliers on the bytes of each live set: a bound that no assignment to memories
// beats.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner/memory/assign/assign.h"
#include "planner/memory/pack/live_sets.h"

namespace arenite::memory {

// One multiplier, a price for a byte, for each memory at each maximal live set, and the bound that
// they prove:
//   L(m) = sum over items of the least (cost + bytes x multipliers while alive)
//          - sum of multipliers x capacity
// True for any multipliers that are not negative (weak duality), so that it can be checked by hand.
// Capacities need to hold at maximal live sets only.
//
// Method: Lagrangian relaxation of the capacities, the bound raised by subgradient ascent with
// Polyak's step (Held, Wolfe, Crowder: "Validation of subgradient optimization", 1974).
//   1. each item goes where cost + bytes x multipliers is least;
//   2. a set and memory that is then over-full gets a larger multiplier, one with room a smaller;
//   3. twelve rounds without gain halve the step; the best multipliers are kept.
//
//   L |      __---           each round sees the slope at its multipliers
//     |   _/      \_         and steps along it
//     +----------------- m
struct Multipliers {
  std::vector<double> value;  // [live set][memory], not negative
  double bound = 0;
};

// The bound of given multipliers. Overlaps count as if all of them saved all they can.
double lagrangian_bound(const AssignProblem& problem, const LiveSets& sets,
                        std::span<const double> value);

// Good multipliers. `cost_max`: the cost of a known assignment, or kNotAllowed;
// `watch` may be null.
Multipliers find_multipliers(const AssignProblem& problem, const LiveSets& sets, double cost_max,
                             const Watch* watch);

// The completion bound of a partial assignment: the part of a Lagrangian bound that lies ahead of
// it, got by splitting that bound by time:
//   tail of each live item - past of its bytes + rest
// is the least that the multipliers ask of what is ahead.
class CompletionBound {
 public:
  CompletionBound(const AssignProblem& problem, const LiveSets& sets,
                  const Multipliers& multipliers, std::span<const uint32_t> births);

  // Sum of the multipliers of a memory at all live sets before one.
  double past(std::size_t set, uint32_t memory) const { return sums_[set * memories_ + memory]; }

  // The price of an item from the start of time to its end.
  double tail(uint32_t item, uint32_t memory) const {
    const double until = past(std::size_t{sets_.last[item]} + 1, memory);
    return until == 0 ? 0 : static_cast<double>(problem_.bytes_in(item, memory)) * until;
  }

  // A lower bound for the cost of the items from `place` in the order on, less the value of the
  // room in all live sets from `set` on.
  double rest(std::size_t place, std::size_t set) const { return costs_[place] - rooms_[set]; }

 private:
  void add_costs(std::span<const uint32_t> births);
  void add_rooms(const Multipliers& multipliers);

  const AssignProblem& problem_;
  const LiveSets& sets_;
  std::size_t memories_;
  std::vector<double> sums_;   // [live set][memory]
  std::vector<double> costs_;  // by place
  std::vector<double> rooms_;  // by live set
};

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

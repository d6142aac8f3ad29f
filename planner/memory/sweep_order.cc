// The order in which a sweep meets items, and a slot for each while it lives.
#include "planner/memory/sweep_order.h"

#include <algorithm>
#include <numeric>

namespace arenite::memory {

SweepOrder make_sweep_order(const AssignProblem& problem) {
  std::vector<bool> shares(problem.items(), false);
  for (const Sharing& sharing : problem.sharings) {
    shares[sharing.output] = true;
    const Lifetime& input = problem.lifetimes[sharing.input];
    if (input.first == input.last) shares[sharing.input] = true;
  }
  SweepOrder order;
  order.births.resize(problem.items());
  std::iota(order.births.begin(), order.births.end(), 0U);
  std::stable_sort(order.births.begin(), order.births.end(), [&](uint32_t a, uint32_t b) {
    if (problem.lifetimes[a].first != problem.lifetimes[b].first) {
      return problem.lifetimes[a].first < problem.lifetimes[b].first;
    }
    return shares[a] < shares[b];
  });
  std::vector<uint32_t> deaths(order.births);
  std::stable_sort(deaths.begin(), deaths.end(), [&](uint32_t a, uint32_t b) {
    return problem.lifetimes[a].last < problem.lifetimes[b].last;
  });
  order.slot_of.resize(problem.items());
  order.gone.resize(problem.items());
  std::vector<uint32_t> free;
  std::size_t dead = 0;
  for (std::size_t k = 0; k < order.births.size(); ++k) {
    const uint32_t item = order.births[k];
    while (problem.lifetimes[deaths[dead]].last < problem.lifetimes[item].first) {
      free.push_back(order.slot_of[deaths[dead]]);
      order.gone[k].push_back(deaths[dead++]);
    }
    if (free.empty()) free.push_back(order.slots++);
    order.slot_of[item] = free.back();
    free.pop_back();
  }
  return order;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

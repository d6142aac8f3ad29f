// What prices say of the items that a partial assignment has not placed yet.
#include "planner/memory/outlook.h"

#include <algorithm>

namespace arenite::memory {

Outlook::Outlook(const AssignProblem& problem, const PeakSteps& peaks, const Prices& prices,
                 const SweepOrder& order)
    : problem_(problem), peaks_(peaks), memories_(problem.memories()) {
  sums_.assign((peaks.steps.size() + 1) * memories_, 0.0);
  for (std::size_t i = 0; i < prices.price.size(); ++i) {
    sums_[i + memories_] = sums_[i] + prices.price[i];
  }
  add_costs(order);
  add_rooms(prices);
}

void Outlook::add_costs(const SweepOrder& order) {
  costs_.resize(order.births.size() + 1, 0);
  for (std::size_t k = order.births.size(); k-- > 0;) {
    const uint32_t item = order.births[k];
    const PeakSteps::Range& alive = peaks_.of_item[item];
    double least = kNotAllowed;
    for (uint32_t m = 0; m < memories_; ++m) {
      const double price = past(std::size_t{alive.last} + 1, m) - past(alive.first, m);
      const auto bytes = static_cast<double>(problem_.bytes_in(item, m));
      least = std::min(least, problem_.cost_in(item, m) + bytes * price);
    }
    costs_[k] = costs_[k + 1] + least;
  }
}

void Outlook::add_rooms(const Prices& prices) {
  std::vector<double> given(prices.price.size(), 0.0);
  for (std::size_t i = 0; i < given.size(); ++i) {
    // Memories without a limit have no price.
    if (prices.price[i] == 0) continue;
    given[i] = prices.price[i] * static_cast<double>(problem_.capacities[i % memories_]);
  }
  for (const Sharing& sharing : problem_.sharings) {
    const std::size_t peak = peaks_.of_item[sharing.output].first;
    for (uint32_t m = 0; m < memories_; ++m) {
      given[peak * memories_ + m] += prices.price[peak * memories_ + m] *
                                     static_cast<double>(shared_bytes_max(problem_, sharing, m));
    }
  }
  rooms_.resize(peaks_.steps.size() + 1, 0);
  for (std::size_t s = peaks_.steps.size(); s-- > 0;) {
    rooms_[s] = rooms_[s + 1];
    for (uint32_t m = 0; m < memories_; ++m) rooms_[s] += given[s * memories_ + m];
  }
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

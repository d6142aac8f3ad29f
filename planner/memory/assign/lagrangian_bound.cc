// Lagrangian multipliers on the bytes of each live set: a bound that no assignment to memories
// beats.
#include "planner/memory/assign/lagrangian_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace arenite::memory {

namespace {

// The bound of some prices, and what they leave over or lack: live bytes less capacity.
class Relaxation {
 public:
  Relaxation(const AssignProblem& problem, const PeakSteps& sets)
      : problem_(problem), sets_(sets), memories_(problem.memories()) {
    room_.resize(sets.steps.size() * memories_);
    for (std::size_t s = 0; s < sets.steps.size(); ++s) {
      for (uint32_t m = 0; m < memories_; ++m) {
        room_[s * memories_ + m] = static_cast<double>(problem.capacities[m]);
      }
    }
    for (const Sharing& sharing : problem.sharings) {
      const std::size_t set = sets.of_item[sharing.output].first;
      for (uint32_t m = 0; m < memories_; ++m) {
        room_[set * memories_ + m] += static_cast<double>(shared_bytes_max(problem, sharing, m));
      }
    }
    sums_.resize((sets.steps.size() + 1) * memories_);
    slope_.resize(sums_.size());
  }

  // Fills slope() too.
  double bound(std::span<const double> price) {
    for (std::size_t i = 0; i < price.size(); ++i) sums_[i + memories_] = sums_[i] + price[i];
    std::fill(slope_.begin(), slope_.end(), 0.0);
    double bound = 0;
    for (uint32_t i = 0; i < problem_.items(); ++i) bound += cheapest(i);
    for (std::size_t i = 0; i < price.size(); ++i) {
      if (i >= memories_) slope_[i] += slope_[i - memories_];
    }
    for (std::size_t i = 0; i < price.size(); ++i) {
      slope_[i] -= room_[i];
      bound -= price[i] * room_[i];
    }
    return bound;
  }

  // By how much a price more would raise the bound; also for memories without a limit.
  std::span<const double> slope() const { return {slope_.data(), room_.size()}; }

 private:
  double cheapest(uint32_t item) {
    const PeakSteps::Range& range = sets_.of_item[item];
    const std::size_t begin = std::size_t{range.first} * memories_;
    const std::size_t end = (std::size_t{range.last} + 1) * memories_;
    double least = kNotAllowed;
    uint32_t where = 0;
    for (uint32_t m = 0; m < memories_; ++m) {
      const auto bytes = static_cast<double>(problem_.bytes_in(item, m));
      const double cost = problem_.cost_in(item, m) + bytes * (sums_[end + m] - sums_[begin + m]);
      if (cost < least) {
        least = cost;
        where = m;
      }
    }
    const auto bytes = static_cast<double>(problem_.bytes_in(item, where));
    slope_[begin + where] += bytes;
    slope_[end + where] -= bytes;
    return least;
  }

  const AssignProblem& problem_;
  const PeakSteps& sets_;
  std::size_t memories_;
  std::vector<double> room_;
  std::vector<double> sums_;   // prices of all sets before this one
  std::vector<double> slope_;  // one row more than sets: differences, then their sums
};

// A cost that the ascent aims at: a known one, or the most that any assignment can cost.
double target_cost(const AssignProblem& problem, double cost_max) {
  if (cost_max != kNotAllowed) return cost_max;
  double sum = 0;
  for (uint32_t i = 0; i < problem.items(); ++i) {
    double most = 0;
    for (uint32_t m = 0; m < problem.memories(); ++m) {
      const double cost = problem.cost_in(i, m);
      if (cost != kNotAllowed) most = std::max(most, cost);
    }
    sum += most;
  }
  return sum;
}

}  // namespace

PeakSteps find_peak_steps(std::span<const Lifetime> lifetimes) {
  std::vector<uint32_t> births;
  std::vector<uint32_t> deaths;
  for (const Lifetime& lifetime : lifetimes) {
    births.push_back(lifetime.first);
    deaths.push_back(lifetime.last);
  }
  std::sort(births.begin(), births.end());
  std::sort(deaths.begin(), deaths.end());
  PeakSteps sets;
  std::size_t dead = 0;
  for (const uint32_t birth : births) {
    const std::size_t before = dead;
    while (deaths[dead] < birth) ++dead;
    if (sets.steps.empty() || dead != before) {
      sets.steps.push_back(birth);
    } else {
      sets.steps.back() = birth;  // nobody died since: the set has only grown
    }
  }
  for (const Lifetime& lifetime : lifetimes) {
    const auto first = std::lower_bound(sets.steps.begin(), sets.steps.end(), lifetime.first);
    const auto end = std::upper_bound(sets.steps.begin(), sets.steps.end(), lifetime.last);
    sets.of_item.push_back({static_cast<uint32_t>(first - sets.steps.begin()),
                            static_cast<uint32_t>(end - sets.steps.begin()) - 1});
  }
  return sets;
}

double priced_bound(const AssignProblem& problem, const PeakSteps& sets,
                    std::span<const double> price) {
  return Relaxation(problem, sets).bound(price);
}

Prices find_prices(const AssignProblem& problem, const PeakSteps& sets, double cost_max,
                   const Watch* watch) {
  constexpr int kRounds = 300;
  constexpr int kPatience = 12;  // rounds without gain before the step is halved
  Relaxation relaxation(problem, sets);
  const std::size_t memories = problem.memories();
  Prices best{std::vector<double>(sets.steps.size() * memories, 0.0), 0};
  best.bound = relaxation.bound(best.price);
  std::vector<double> price = best.price;
  const double target = target_cost(problem, cost_max);
  double bound = best.bound;
  double step = 1;
  int idle = 0;
  for (int round = 0; round < kRounds && best.bound < target && !stopped(watch); ++round) {
    const std::span<const double> slope = relaxation.slope();
    double square = 0;
    for (std::size_t i = 0; i < price.size(); ++i) {
      if (price[i] > 0 || slope[i] > 0) square += slope[i] * slope[i];
    }
    if (square == 0) break;
    const double length = step * std::max(target - bound, 1e-6 * std::abs(target)) / square;
    for (std::size_t i = 0; i < price.size(); ++i) {
      price[i] = std::max(0.0, price[i] + length * slope[i]);
    }
    bound = relaxation.bound(price);
    if (bound > best.bound) {
      if (bound > best.bound + 1e-4 * (target - best.bound)) idle = 0;
      best = {price, bound};
    }
    if (++idle > kPatience) {
      idle = 0;
      step /= 2;
      price = best.price;
      bound = relaxation.bound(price);
    }
  }
  return best;
}

Outlook::Outlook(const AssignProblem& problem, const PeakSteps& peaks, const Prices& prices,
                 std::span<const uint32_t> births)
    : problem_(problem), peaks_(peaks), memories_(problem.memories()) {
  sums_.assign((peaks.steps.size() + 1) * memories_, 0.0);
  for (std::size_t i = 0; i < prices.price.size(); ++i) {
    sums_[i + memories_] = sums_[i] + prices.price[i];
  }
  add_costs(births);
  add_rooms(prices);
}

void Outlook::add_costs(std::span<const uint32_t> births) {
  costs_.resize(births.size() + 1, 0);
  for (std::size_t k = births.size(); k-- > 0;) {
    const uint32_t item = births[k];
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

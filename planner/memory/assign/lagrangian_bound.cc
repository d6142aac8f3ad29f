// Ascends along subgradients: multipliers of overfull live sets rise, those of others fall.
#include "planner/memory/assign/lagrangian_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/assert.h"

namespace arenite::memory {

namespace {

// The bound of some multipliers, and what they leave over or lack: live bytes less capacity.
class Relaxation {
 public:
  Relaxation(const AssignProblem& problem, const LiveSets& sets)
      : problem_(problem), sets_(sets), memories_(problem.memories()) {
    room_.resize(sets.count * memories_);
    for (std::size_t s = 0; s < sets.count; ++s) {
      for (uint32_t m = 0; m < memories_; ++m) {
        room_[s * memories_ + m] = static_cast<double>(problem.capacities[m]);
      }
    }
    for (const Overlap& overlap : problem.overlaps) {
      const std::size_t set = sets.first[overlap.output];
      for (uint32_t m = 0; m < memories_; ++m) {
        room_[set * memories_ + m] += static_cast<double>(saved_bytes_in(problem, overlap, m));
      }
    }
    sums_.resize((sets.count + 1) * memories_);
    slope_.resize(sums_.size());
  }

  // Fills slope() too.
  double bound(std::span<const double> value) {
    for (std::size_t i = 0; i < value.size(); ++i) sums_[i + memories_] = sums_[i] + value[i];
    std::fill(slope_.begin(), slope_.end(), 0.0);
    double bound = 0;
    for (uint32_t i = 0; i < problem_.items(); ++i) bound += cheapest(i);
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i >= memories_) slope_[i] += slope_[i - memories_];
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
      slope_[i] -= room_[i];
      bound -= value[i] * room_[i];
    }
    return bound;
  }

  // The rise of the bound for each unit that a multiplier rises; also for memories without a limit.
  std::span<const double> slope() const { return {slope_.data(), room_.size()}; }

 private:
  double cheapest(uint32_t item) {
    const std::size_t begin = std::size_t{sets_.first[item]} * memories_;
    const std::size_t end = (std::size_t{sets_.last[item]} + 1) * memories_;
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
  const LiveSets& sets_;
  std::size_t memories_;
  std::vector<double> room_;
  std::vector<double> sums_;   // multipliers of all sets before this one
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

double lagrangian_bound(const AssignProblem& problem, const LiveSets& sets,
                        std::span<const double> value) {
  ARENITE_ASSERT(std::all_of(value.begin(), value.end(), [](double v) { return v >= 0; }));
  return Relaxation(problem, sets).bound(value);
}

Multipliers find_multipliers(const AssignProblem& problem, const LiveSets& sets, double cost_max,
                             const Watch* watch) {
  constexpr int kRounds = 300;
  constexpr int kPatience = 12;  // rounds without gain before the step is halved
  Relaxation relaxation(problem, sets);
  const std::size_t memories = problem.memories();
  Multipliers best{std::vector<double>(sets.count * memories, 0.0), 0};
  best.bound = relaxation.bound(best.value);
  std::vector<double> value = best.value;
  const double target = target_cost(problem, cost_max);
  double bound = best.bound;
  double step = 1;
  int idle = 0;
  for (int round = 0; round < kRounds && best.bound < target && !stopped(watch); ++round) {
    const std::span<const double> slope = relaxation.slope();
    double square = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value[i] > 0 || slope[i] > 0) square += slope[i] * slope[i];
    }
    if (square == 0) break;
    const double length = step * std::max(target - bound, 1e-6 * std::abs(target)) / square;
    for (std::size_t i = 0; i < value.size(); ++i) {
      value[i] = std::max(0.0, value[i] + length * slope[i]);
    }
    bound = relaxation.bound(value);
    if (bound > best.bound) {
      if (bound > best.bound + 1e-4 * (target - best.bound)) idle = 0;
      best = {value, bound};
    }
    if (++idle > kPatience) {
      idle = 0;
      step /= 2;
      value = best.value;
      bound = relaxation.bound(value);
    }
  }
  return best;
}

CompletionBound::CompletionBound(const AssignProblem& problem, const LiveSets& sets,
                                 const Multipliers& multipliers, std::span<const uint32_t> births)
    : problem_(problem), sets_(sets), memories_(problem.memories()) {
  sums_.assign((sets.count + 1) * memories_, 0.0);
  for (std::size_t i = 0; i < multipliers.value.size(); ++i) {
    sums_[i + memories_] = sums_[i] + multipliers.value[i];
  }
  add_costs(births);
  add_rooms(multipliers);
}

void CompletionBound::add_costs(std::span<const uint32_t> births) {
  costs_.resize(births.size() + 1, 0);
  for (std::size_t k = births.size(); k-- > 0;) {
    const uint32_t item = births[k];
    double least = kNotAllowed;
    for (uint32_t m = 0; m < memories_; ++m) {
      const double value = past(std::size_t{sets_.last[item]} + 1, m) - past(sets_.first[item], m);
      const auto bytes = static_cast<double>(problem_.bytes_in(item, m));
      least = std::min(least, problem_.cost_in(item, m) + bytes * value);
    }
    costs_[k] = costs_[k + 1] + least;
  }
}

void CompletionBound::add_rooms(const Multipliers& multipliers) {
  std::vector<double> given(multipliers.value.size(), 0.0);
  for (std::size_t i = 0; i < given.size(); ++i) {
    // Memories without a limit have no value.
    if (multipliers.value[i] == 0) continue;
    given[i] = multipliers.value[i] * static_cast<double>(problem_.capacities[i % memories_]);
  }
  for (const Overlap& overlap : problem_.overlaps) {
    const std::size_t peak = sets_.first[overlap.output];
    for (uint32_t m = 0; m < memories_; ++m) {
      given[peak * memories_ + m] += multipliers.value[peak * memories_ + m] *
                                     static_cast<double>(saved_bytes_in(problem_, overlap, m));
    }
  }
  rooms_.resize(sets_.count + 1, 0);
  for (std::size_t s = sets_.count; s-- > 0;) {
    rooms_[s] = rooms_[s + 1];
    for (uint32_t m = 0; m < memories_; ++m) rooms_[s] += given[s * memories_ + m];
  }
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

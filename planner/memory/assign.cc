// Chooses one memory for each rigid item so that traffic costs least, before offsets are known.
#include "planner/memory/assign.h"

#include <algorithm>

#include "planner/memory/prices.h"
#include "planner/memory/sweep.h"

namespace arenite::memory {
namespace {

constexpr uint32_t kFirstWidth = 32;
constexpr uint32_t kWidthMax = 1 << 15;

// Work of a sweep for each partial assignment of its width.
uint64_t row_work(const AssignProblem& problem) {
  const uint64_t row = live_items_max(problem.lifetimes) + 40 * uint64_t{problem.memories()};
  return std::max<uint64_t>(1, row * problem.items());
}

}  // namespace

uint64_t shared_bytes_max(const AssignProblem& problem, const Sharing& sharing, uint32_t memory) {
  const uint64_t input = problem.bytes_in(sharing.input, memory);
  const uint64_t output = problem.bytes_in(sharing.output, memory);
  const uint64_t lead = sharing.lead_bytes > 0 ? static_cast<uint64_t>(sharing.lead_bytes) : 0;
  return lead < output ? std::min(input, output - lead) : 0;
}

Assignment assign(const AssignProblem& problem, std::span<const Cut> cuts,
                  const AssignLimits& limits) {
  const PeakSteps sets = find_peak_steps(problem.lifetimes);
  const uint64_t per_row = row_work(problem);
  Assignment best;
  best.cost = limits.cost_max;
  Prices prices = find_prices(problem, sets, limits.cost_max, limits.watch);
  uint64_t work_left = limits.work_max;
  // Narrow first: what it finds lets the wide one drop most branches.
  for (uint64_t width = kFirstWidth;; width *= 16) {
    width = std::min({width, uint64_t{kWidthMax}, work_left / per_row});
    if (width == 0 || stopped(limits.watch)) break;
    work_left -= width * per_row;
    best.work += width * per_row;
    Assignment found =
        sweep(problem, sets, prices, cuts, {static_cast<uint32_t>(width), best.cost, limits.watch});
    best.lower_bound = std::max({best.lower_bound, found.lower_bound, prices.bound});
    if (found.memory_of) {
      best.memory_of = std::move(found.memory_of);
      best.cost = found.cost;
      prices = find_prices(problem, sets, best.cost, limits.watch);
    }
    const bool proved = best.lower_bound >= best.cost * (1 - 1e-9);
    if (proved || width == kWidthMax || width * per_row > work_left) break;
  }
  best.lower_bound = std::max(best.lower_bound, prices.bound);
  if (!best.memory_of) best.cost = kNotAllowed;
  return best;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Chooses one memory for each rigid item so that traffic costs least, before offsets are known.
#include "planner/memory/assign/assign.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "planner/memory/assign/beam_search.h"
#include "planner/memory/assign/lagrangian_bound.h"

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

namespace {

bool has_counts(const Problem& problem) {
  return std::any_of(problem.buffers.begin(), problem.buffers.end(),
                     [](const Buffer& buffer) { return buffer.reads + buffer.writes > 0; });
}

// Cost of one buffer in one memory.
class BufferCosts {
 public:
  explicit BufferCosts(const Problem& problem)
      : costs_(memory_costs(problem)), counted_(has_counts(problem)) {}

  double of(const Buffer& buffer, uint32_t memory) const {
    const double reads = counted_ ? static_cast<double>(buffer.reads) : 1.0;
    return static_cast<double>(buffer.size_bytes) *
           (reads * costs_.read[memory] +
            static_cast<double>(buffer.writes) * costs_.write[memory]);
  }

 private:
  MemoryCosts costs_;
  bool counted_;
};

std::vector<std::size_t> item_of_root(const Problem& problem, std::span<const Item> items) {
  std::vector<std::size_t> of_root(problem.buffers.size());
  for (std::size_t i = 0; i < items.size(); ++i) of_root[items[i].root] = i;
  return of_root;
}

// What non-fixed items may fill: their ends are aligned as the memory is. Where a fixed item ends
// beyond that, all of it.
uint64_t room_of(const Problem& problem, std::span<const Item> items, uint32_t memory) {
  const Memory& room = problem.memories[memory];
  if (room.size_bytes == kUnbounded) return kUnbounded;
  const uint64_t aligned = room.size_bytes - room.size_bytes % room.alignment;
  for (const Item& item : items) {
    if (item.fixed && item.fixed->memory == memory &&
        item.fixed->offset + item.size_bytes > aligned) {
      return align_up(room.size_bytes, room.alignment);
    }
  }
  return aligned;
}

// Each item shrunk to the one use of a member that takes the most bytes for the longest: what
// surely takes room, whatever a plan does with the holes that a group and its gaps leave. Returns
// whether any was.
bool shrink_to_sure(const Problem& problem, std::span<const Anchor> anchors,
                    std::span<const std::size_t> of_root, std::vector<Item>& items) {
  std::vector<double> most(items.size(), 0);
  std::vector<Use> sure(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) sure[i].steps = items[i].lifetime;
  for (uint32_t b = 0; b < problem.buffers.size(); ++b) {
    const std::size_t i = of_root[anchors[b].root];
    for (const Use& use : uses_of(problem.buffers[b])) {
      const double area = static_cast<double>(use.bytes.end - use.bytes.begin) *
                          (1.0 + use.steps.last - use.steps.first);
      if (area <= most[i]) continue;
      most[i] = area;
      sure[i] = use;
    }
  }
  bool shrunk = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    Item& item = items[i];
    const uint64_t bytes = sure[i].bytes.end - sure[i].bytes.begin;
    shrunk |= bytes != item.size_bytes || sure[i].steps.first != item.lifetime.first ||
              sure[i].steps.last != item.lifetime.last;
    item.size_bytes = bytes;
    item.lifetime = sure[i].steps;
  }
  return shrunk;
}

// The most favourable sharing wherever two shrunk items meet at the step of a permission.
std::vector<Sharing> sharings_at_best(const Problem& problem, std::span<const Anchor> anchors,
                                      std::span<const std::size_t> of_root,
                                      std::span<const Item> items) {
  std::vector<Sharing> sharings;
  for (const Overlap& overlap : problem.overlaps) {
    const auto input = static_cast<uint32_t>(of_root[anchors[overlap.input].root]);
    const auto output = static_cast<uint32_t>(of_root[anchors[overlap.output].root]);
    if (input == output || items[input].lifetime.last != items[output].lifetime.first) continue;
    sharings.push_back({input, output, 0});
  }
  std::sort(sharings.begin(), sharings.end(), [](const Sharing& a, const Sharing& b) {
    return std::pair(a.output, a.input) < std::pair(b.output, b.input);
  });
  const auto same = [](const Sharing& a, const Sharing& b) {
    return a.output == b.output && a.input == b.input;
  };
  sharings.erase(std::unique(sharings.begin(), sharings.end(), same), sharings.end());
  return sharings;
}

// The problem of which memory with less asked of it than any plan has to give: its bounds hold for
// every plan that the verifier accepts.
AssignProblem relaxed(const Problem& problem) {
  const std::vector<Anchor> anchors = find_anchors(problem.buffers);
  std::vector<Item> items = make_items(problem, anchors);
  const std::vector<std::size_t> of_root = item_of_root(problem, items);
  AssignProblem made = make_assign_problem(problem, anchors, items);
  for (uint32_t m = 0; m < made.memories(); ++m) {
    // Of the topmost item only its own bytes have to lie in the memory, not their padding.
    const Memory& memory = problem.memories[m];
    if (memory.size_bytes != kUnbounded) {
      made.capacities[m] = align_up(memory.size_bytes, memory.alignment);
    }
  }
  if (shrink_to_sure(problem, anchors, of_root, items)) {
    made.sharings = sharings_at_best(problem, anchors, of_root, items);
    // Members need not start where their group does, so rounding their sizes up proves nothing.
    for (std::size_t i = 0; i < items.size(); ++i) {
      made.lifetimes[i] = items[i].lifetime;
      for (std::size_t m = 0; m < problem.memories.size(); ++m) {
        made.bytes[i * problem.memories.size() + m] = items[i].size_bytes;
      }
    }
  }
  return made;
}

// Bytes x (reads + writes) of each item.
std::vector<uint64_t> item_traffic(const Problem& problem) {
  const std::vector<Anchor> anchors = find_anchors(problem.buffers);
  const std::vector<Item> items = make_items(problem, anchors);
  const std::vector<std::size_t> of_root = item_of_root(problem, items);
  std::vector<uint64_t> traffic(items.size(), 0);
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    const Buffer& buffer = problem.buffers[b];
    traffic[of_root[anchors[b].root]] += buffer.size_bytes * (buffer.reads + buffer.writes);
  }
  return traffic;
}

// The least multiple of `unit` that a bound found in floating point proves.
uint64_t whole_units(double bound, uint64_t unit) {
  constexpr double kRounding = 2e-9;  // twice the tie that a sweep calls equal (sweep.cc)
  const double sure = bound * (1 - kRounding);
  if (unit == 0 || !(sure > 0)) return 0;
  return static_cast<uint64_t>(std::ceil(sure / static_cast<double>(unit))) * unit;
}

}  // namespace

MemoryCosts memory_costs(const Problem& problem) {
  MemoryCosts costs;
  for (const Memory& memory : problem.memories) {
    costs.read.push_back(memory.read_cost);
    costs.write.push_back(memory.write_cost);
  }
  costs.by_order =
      std::all_of(problem.memories.begin(), problem.memories.end(), [&](const Memory& memory) {
        return memory.read_cost == costs.read[0] && memory.write_cost == costs.write[0];
      });
  if (!costs.by_order) return costs;
  constexpr double kLater = 1.0 / 1024;
  double cost = 0;
  double more = 1;
  for (std::size_t m = 0; m < problem.memories.size(); ++m) {
    costs.read[m] = costs.write[m] = cost;
    cost += more;
    more *= kLater;
  }
  return costs;
}

double traffic_cost(const Problem& problem, const Solution& solution) {
  const BufferCosts costs(problem);
  double sum = 0;
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    sum += costs.of(problem.buffers[b], solution.placements[b].memory);
  }
  return sum;
}

AssignProblem make_assign_problem(const Problem& problem, std::span<const Anchor> anchors,
                                  std::span<const Item> items) {
  const std::size_t memories = problem.memories.size();
  AssignProblem made;
  for (uint32_t m = 0; m < memories; ++m) made.capacities.push_back(room_of(problem, items, m));
  made.costs.assign(items.size() * memories, kNotAllowed);
  const std::vector<std::size_t> of_root = item_of_root(problem, items);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    made.lifetimes.push_back(item.lifetime);
    for (const Memory& memory : problem.memories) {
      made.bytes.push_back(align_up(item.size_bytes, memory.alignment));
    }
    for (const uint32_t m : item.allowed) {
      const bool elsewhere = item.fixed && item.fixed->memory != m;
      if (!elsewhere) made.costs[i * memories + m] = 0;
    }
  }
  const BufferCosts costs(problem);
  for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
    for (uint32_t m = 0; m < memories; ++m) {
      made.costs[of_root[anchors[b].root] * memories + m] += costs.of(problem.buffers[b], m);
    }
  }
  made.sharings = find_sharings(problem, anchors, items);
  return made;
}

double traffic_bound(const Problem& problem) {
  return assign(relaxed(problem), {}, {}).lower_bound;
}

uint64_t slow_traffic_bound(const Problem& problem, uint64_t known_bytes, const Watch* watch) {
  if (known_bytes == 0) return 0;
  AssignProblem made = relaxed(problem);
  const std::vector<uint64_t> traffic = item_traffic(problem);
  uint64_t unit = 0;
  for (std::size_t i = 0; i < traffic.size(); ++i) {
    unit = std::gcd(unit, traffic[i]);
    for (uint32_t m = 0; m < made.memories(); ++m) {
      double& cost = made.costs[i * made.memories() + m];
      if (cost != kNotAllowed) cost = m == 0 ? 0 : static_cast<double>(traffic[i]);
    }
  }
  AssignLimits limits{.cost_max = static_cast<double>(known_bytes), .watch = watch};
  if (made.memories() > kMemoriesMax) limits.work_max = 0;  // prices alone
  const double bound = assign(made, {}, limits).lower_bound;
  return bound == kNotAllowed ? known_bytes : whole_units(bound, unit);
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Chooses one memory for each rigid item so that traffic costs least, before offsets are known.
#include "planner/memory/assign/assign.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "planner/memory/assign/beam_search.h"
#include "planner/memory/assign/lagrangian_bound.h"
#include "planner/memory/uses.h"

namespace arenite::memory {

namespace {

constexpr uint32_t kFirstWidth = 32;
constexpr uint32_t kWidthMax = 1 << 15;

// The most items alive at one step: the length of a partial assignment.
uint64_t live_items_max(const LiveSets& sets) {
  uint64_t most = 0;
  for (const uint64_t live : sets.sums([](uint32_t) { return uint64_t{1}; })) {
    most = std::max(most, live);
  }
  return most;
}

// Work of a beam search for each partial assignment of its width.
uint64_t row_work(const AssignProblem& problem, const LiveSets& sets) {
  const uint64_t row = live_items_max(sets) + 40 * uint64_t{problem.memories()};
  return std::max<uint64_t>(1, row * problem.items());
}

}  // namespace

uint64_t saved_bytes_in(const AssignProblem& problem, const Overlap& overlap, uint32_t memory) {
  return saved_bytes_max(problem.bytes_in(overlap.input, memory),
                         problem.bytes_in(overlap.output, memory), overlap.lead_bytes);
}

Assignment assign(const AssignProblem& problem, std::span<const Cut> cuts,
                  const AssignLimits& limits) {
  const LiveSets sets = find_live_sets(problem.lifetimes);
  const uint64_t per_row = row_work(problem, sets);
  Assignment best;
  best.cost = limits.cost_max;
  Multipliers multipliers = find_multipliers(problem, sets, limits.cost_max, limits.watch);
  uint64_t work_left = limits.work_max;
  // Narrow first: what it finds lets the wide one drop most branches.
  for (uint64_t width = kFirstWidth;; width *= 16) {
    width = std::min({width, uint64_t{kWidthMax}, work_left / per_row});
    if (width == 0 || stopped(limits.watch)) break;
    work_left -= width * per_row;
    best.work += width * per_row;
    Assignment found = beam_search(problem, sets, multipliers, cuts,
                                   {static_cast<uint32_t>(width), best.cost, limits.watch});
    best.lower_bound = std::max({best.lower_bound, found.lower_bound, multipliers.bound});
    if (found.memory_of) {
      best.memory_of = std::move(found.memory_of);
      best.cost = found.cost;
      multipliers = find_multipliers(problem, sets, best.cost, limits.watch);
    }
    const bool proved = best.lower_bound >= best.cost * (1 - 1e-9);
    if (proved || width == kWidthMax || width * per_row > work_left) break;
  }
  best.lower_bound = std::max(best.lower_bound, multipliers.bound);
  if (!best.memory_of) best.cost = kNotAllowed;
  return best;
}

namespace {

// Cost of a byte read or written, by memory. Where a problem gives all its memories the same costs,
// only their order tells them apart: then a byte in the first costs nothing, in the second 1, and
// each further one costs a little more, so that what leaves the first memory counts before all.
struct MemoryCosts {
  std::vector<double> read;
  std::vector<double> write;
};

MemoryCosts memory_costs(std::span<const Memory> memories) {
  MemoryCosts costs;
  for (const Memory& memory : memories) {
    costs.read.push_back(memory.read_cost);
    costs.write.push_back(memory.write_cost);
  }
  const bool by_order = std::all_of(memories.begin(), memories.end(), [&](const Memory& memory) {
    return memory.read_cost == costs.read[0] && memory.write_cost == costs.write[0];
  });
  if (!by_order) return costs;
  constexpr double kLater = 1.0 / 1024;
  double cost = 0;
  double more = 1;
  for (std::size_t m = 0; m < memories.size(); ++m) {
    costs.read[m] = costs.write[m] = cost;
    cost += more;
    more *= kLater;
  }
  return costs;
}

// Cost of one buffer in one memory. In a problem without any reads and writes each buffer counts
// as read once.
class BufferCosts {
 public:
  explicit BufferCosts(const Problem& problem)
      : costs_(memory_costs(problem.memories)),
        counted_(
            std::any_of(problem.buffers.begin(), problem.buffers.end(),
                        [](const Buffer& buffer) { return buffer.reads + buffer.writes > 0; })) {}

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

// What non-fixed items may fill: their ends are aligned as the memory is. Where a fixed item ends
// beyond that, all of it.
uint64_t room_of(const CheckedProblem& problem, uint32_t memory) {
  const Memory& room = problem.memories()[memory];
  if (room.size_bytes == kUnbounded) return kUnbounded;
  const uint64_t aligned = room.size_bytes - room.size_bytes % room.alignment;
  for (const Item& item : problem.items()) {
    if (item.fixed && item.fixed->memory == memory &&
        item.fixed->offset + item.size_bytes > aligned) {
      return align_up(room.size_bytes, room.alignment);
    }
  }
  return aligned;
}

// Each item shrunk to the one use of a member that takes the most bytes for the longest: what
// surely takes room, whatever a plan does with the holes that a group and its gaps leave.
std::vector<Use> sure_uses(const CheckedProblem& problem) {
  const std::vector<Item>& items = problem.items();
  std::vector<double> most(items.size(), 0);
  std::vector<Use> sure(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) sure[i].steps = items[i].lifetime;
  for (uint32_t b = 0; b < problem.buffers().size(); ++b) {
    const uint32_t i = problem.item_of(b);
    for (const Use& use : uses_of(problem.buffers()[b])) {
      const double area =
          static_cast<double>(use.bytes.bytes()) * (1.0 + use.steps.last - use.steps.first);
      if (area <= most[i]) continue;
      most[i] = area;
      sure[i] = use;
    }
  }
  return sure;
}

// The most favourable overlap wherever two shrunk items meet at the step of a permission.
std::vector<Overlap> overlaps_at_best(const CheckedProblem& problem, std::span<const Use> sure) {
  std::vector<Overlap> overlaps;
  for (const Overlap& overlap : problem.overlaps()) {
    const uint32_t input = problem.item_of(overlap.input);
    const uint32_t output = problem.item_of(overlap.output);
    if (input == output || sure[input].steps.last != sure[output].steps.first) continue;
    overlaps.push_back({input, output, 0});
  }
  const auto pair = [](const Overlap& overlap) { return std::pair(overlap.output, overlap.input); };
  std::sort(overlaps.begin(), overlaps.end(),
            [&](const Overlap& a, const Overlap& b) { return pair(a) < pair(b); });
  overlaps.erase(
      std::unique(overlaps.begin(), overlaps.end(),
                  [&](const Overlap& a, const Overlap& b) { return pair(a) == pair(b); }),
      overlaps.end());
  return overlaps;
}

// The problem of which memory with less asked of it than any plan has to give: its bounds hold for
// every plan that the verifier accepts.
AssignProblem relaxed(const CheckedProblem& problem) {
  AssignProblem made = make_assign_problem(problem);
  for (uint32_t m = 0; m < made.memories(); ++m) {
    // Of the topmost item only its own bytes have to lie in the memory, not their padding.
    const Memory& memory = problem.memories()[m];
    if (memory.size_bytes != kUnbounded) {
      made.capacities[m] = align_up(memory.size_bytes, memory.alignment);
    }
  }
  const std::vector<Item>& items = problem.items();
  const std::vector<Use> sure = sure_uses(problem);
  bool shrunk = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    shrunk |= sure[i].bytes.bytes() != items[i].size_bytes ||
              sure[i].steps.first != items[i].lifetime.first ||
              sure[i].steps.last != items[i].lifetime.last;
  }
  if (!shrunk) return made;
  made.overlaps = overlaps_at_best(problem, sure);
  // Members need not start where their group does, so rounding their sizes up proves nothing.
  for (std::size_t i = 0; i < items.size(); ++i) {
    made.lifetimes[i] = sure[i].steps;
    std::fill_n(&made.bytes[i * made.memories()], made.memories(), sure[i].bytes.bytes());
  }
  return made;
}

// Bytes x (reads + writes) of each item.
std::vector<uint64_t> item_traffic(const CheckedProblem& problem) {
  std::vector<uint64_t> traffic(problem.items().size(), 0);
  for (uint32_t b = 0; b < problem.buffers().size(); ++b) {
    const Buffer& buffer = problem.buffers()[b];
    traffic[problem.item_of(b)] += buffer.size_bytes * (buffer.reads + buffer.writes);
  }
  return traffic;
}

// The least multiple of `unit` that a bound found in floating point proves.
uint64_t whole_units(double bound, uint64_t unit) {
  constexpr double kRounding = 2e-9;  // twice the tie that a beam search calls equal
  const double sure = bound * (1 - kRounding);
  if (unit == 0 || !(sure > 0)) return 0;
  return static_cast<uint64_t>(std::ceil(sure / static_cast<double>(unit))) * unit;
}

}  // namespace

AssignProblem make_assign_problem(const CheckedProblem& problem) {
  const std::size_t memories = problem.memories().size();
  AssignProblem made;
  for (uint32_t m = 0; m < memories; ++m) made.capacities.push_back(room_of(problem, m));
  made.costs.assign(problem.items().size() * memories, kNotAllowed);
  for (std::size_t i = 0; i < problem.items().size(); ++i) {
    const Item& item = problem.items()[i];
    made.lifetimes.push_back(item.lifetime);
    for (const Memory& memory : problem.memories()) {
      made.bytes.push_back(align_up(item.size_bytes, memory.alignment));
    }
    for (const uint32_t m : item.allowed) {
      const bool elsewhere = item.fixed && item.fixed->memory != m;
      if (!elsewhere) made.costs[i * memories + m] = 0;
    }
  }
  const BufferCosts costs(problem.problem());
  for (uint32_t b = 0; b < problem.buffers().size(); ++b) {
    for (uint32_t m = 0; m < memories; ++m) {
      made.costs[problem.item_of(b) * memories + m] += costs.of(problem.buffers()[b], m);
    }
  }
  made.overlaps = problem.item_overlaps();
  return made;
}

double traffic_bound(const CheckedProblem& problem) {
  return assign(relaxed(problem), {}, {}).lower_bound;
}

uint64_t slow_traffic_bound(const CheckedProblem& problem, uint64_t known_bytes,
                            const Watch* watch) {
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
  if (made.memories() > kMemoriesMax) limits.work_max = 0;  // multipliers alone
  const double bound = assign(made, {}, limits).lower_bound;
  return bound == kNotAllowed ? known_bytes : whole_units(bound, unit);
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

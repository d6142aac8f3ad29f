// Weighs each item's traffic in each memory, then searches: a narrow beam first, a wide one after.
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

// Cost of a byte read or written, by memory. If a problem gives all its memories the same costs,
// only their order distinguishes them. Then a byte in the first costs nothing, in the second 1, and
// in each further one a little more, so that bytes outside the first memory count before all.
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

// The bytes that non-fixed items may fill: their ends are aligned as the memory is. If a fixed item
// ends beyond that, the whole memory.
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

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

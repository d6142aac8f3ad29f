// Runs the chosen algorithm on items; turns its result into offsets, or explains what did not fit.
#include "planner/memory/plan.h"

#include <algorithm>
#include <array>

#include "planner/memory/assign/place_search.h"
#include "planner/memory/greedy/greedy.h"
#include "planner/memory/problem/live_bytes.h"
#include "support/printable.h"

namespace arenite::memory {

namespace {

// In the order of the enum.
constexpr std::array<std::string_view, 5> kNames = {"naive", "greedy_first_fit", "greedy_by_size",
                                                    "portfolio", "search"};

ItemPlan place_portfolio(const CheckedProblem& problem, PackLimits limits) {
  limits.portfolio_only = true;
  return place_search(problem, {.assign_work_max = 0, .pack = limits});
}

ItemPlan place(Algorithm algorithm, const CheckedProblem& problem, const PackLimits& limits) {
  switch (algorithm) {
    case Algorithm::kNaive:
      return place_naive(problem);
    case Algorithm::kGreedyFirstFit:
      return place_greedy_first_fit(problem, limits.watch);
    case Algorithm::kGreedyBySize:
      return place_greedy_by_size(problem, limits.watch);
    case Algorithm::kPortfolio:
      return place_portfolio(problem, limits);
    case Algorithm::kSearch:
      return place_search(problem, {.pack = limits});
  }
  throw InputError("unknown memory planning algorithm " +
                   std::to_string(static_cast<int>(algorithm)));
}

// Every buffer at its item's offset plus its distance from the item's root.
Solution resolve(const CheckedProblem& problem, const ItemPlan& plan) {
  Solution solution{{}, plan.lower_bounds};
  for (uint32_t i = 0; i < problem.buffers().size(); ++i) {
    const Placement& item = plan.placements[problem.item_of(i)];
    solution.placements.push_back({item.memory, item.offset + problem.anchors()[i].offset_bytes});
  }
  return solution;
}

}  // namespace

std::optional<Algorithm> find_algorithm(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Algorithm>(i);
  }
  return std::nullopt;
}

std::string_view name_of(Algorithm algorithm) {
  return kNames.at(static_cast<std::size_t>(algorithm));
}

std::span<const std::string_view> algorithm_names() { return kNames; }

Solution where_fixed(const CheckedProblem& problem) {
  ItemPlan plan;
  for (const Item& item : problem.items()) {
    plan.placements.push_back(item.fixed.value_or(Placement{item.allowed.front(), 0}));
  }
  return resolve(problem, plan);
}

Outcome plan(Algorithm algorithm, const CheckedProblem& problem, const PackLimits& limits) {
  const ItemPlan item_plan = place(algorithm, problem, limits);
  Solution solution = resolve(problem, item_plan);
  if (item_plan.first_unplaced) {
    return explain_overflow(problem, solution, problem.items()[*item_plan.first_unplaced].root);
  }
  return solution;
}

namespace {

// End of the highest buffer in a memory, and which buffer that is.
struct Top {
  uint64_t end = 0;
  uint32_t buffer = 0;
};

Top top_of(const CheckedProblem& problem, const Solution& solution, uint32_t memory) {
  Top top;
  for (uint32_t i = 0; i < solution.placements.size(); ++i) {
    if (solution.placements[i].memory != memory) continue;
    const uint64_t end = solution.placements[i].offset + problem.buffers()[i].size_bytes;
    if (end >= top.end) top = {end, i};
  }
  return top;
}

bool only_allowed_in(const Problem& problem, const Buffer& buffer, uint32_t memory) {
  if (buffer.fixed) return buffer.fixed->memory == memory;
  if (buffer.allowed.empty()) return problem.memories.size() == 1;
  return std::all_of(buffer.allowed.begin(), buffer.allowed.end(),
                     [memory](uint32_t allowed) { return allowed == memory; });
}

// The step with the most live bytes among the buffers that can be nowhere but in `memory`.
LiveSpan unavoidable_peak(const CheckedProblem& problem, const Solution& solution,
                          uint32_t memory) {
  std::vector<bool> captive;
  for (uint32_t i = 0; i < solution.placements.size(); ++i) {
    captive.push_back(solution.placements[i].memory == memory &&
                      only_allowed_in(problem.problem(), problem.buffers()[i], memory));
  }
  return largest(live_spans(problem, captive));
}

// The step with the most live bytes while `buffer` lives.
LiveSpan worst_during(std::vector<LiveSpan> spans, const Lifetime& lifetime) {
  std::erase_if(spans, [&](const LiveSpan& span) {
    return !lifetime.meets({span.first, span.last});
  });
  LiveSpan worst = largest(spans);
  worst.first = std::max(worst.first, lifetime.first);
  return worst;
}

}  // namespace

DoesNotFit explain_overflow(const CheckedProblem& problem, const Solution& solution,
                            uint32_t first_unplaced_buffer) {
  const uint32_t memory = solution.placements[first_unplaced_buffer].memory;
  const Memory& room = problem.memories()[memory];
  const Buffer& unplaced = problem.buffers()[first_unplaced_buffer];
  const Top top = top_of(problem, solution, memory);

  DoesNotFit error;
  error.memory = memory;
  error.memory_name = room.name;
  error.memory_bytes = room.size_bytes;
  error.needed_bytes = align_up(top.end, room.alignment);
  error.short_bytes = error.needed_bytes - room.size_bytes;
  error.first_unplaced = {first_unplaced_buffer, unplaced.name, unplaced.size_bytes};

  const std::vector<LiveSpan> spans = live_spans_in(problem, solution, memory);
  const LiveSpan captive = unavoidable_peak(problem, solution, memory);
  error.proven = captive.bytes > room.size_bytes;
  LiveSpan worst = largest(spans);
  if (error.proven) {
    worst = captive;
  } else if (worst.bytes <= room.size_bytes) {
    // The live bytes would fit everywhere; what went wrong is the packing under the top buffer.
    worst = worst_during(spans, problem.buffers()[top.buffer].lifetime);
  }
  error.step = worst.first;
  error.live = live_buffers_in(problem, solution, memory, error.step);
  for (const LiveSpan& span : spans) {
    if (span.first <= error.step && error.step <= span.last) error.live_bytes = span.bytes;
  }
  error.solution = solution;
  return error;
}

std::string message(const DoesNotFit& error) {
  // Enough to see what fills the memory; the rest of a long list is summed up.
  constexpr std::size_t kListedMax = 32;
  std::string text = "memory " + quote(error.memory_name) + " of " +
                     bytes_counted(error.memory_bytes) + " is " + bytes_counted(error.short_bytes) +
                     " short: the plan needs " + std::to_string(error.needed_bytes);
  if (!error.first_unplaced.name.empty()) {
    text += "; the first buffer without room is " + quote(error.first_unplaced.name) + " of " +
            bytes_counted(error.first_unplaced.size_bytes);
  }
  text += ". At step " + std::to_string(error.step) + ", " + bytes_counted(error.live_bytes) +
          (error.live_bytes == 1 ? " is" : " are") + " live there";
  text += error.proven ? ", so no plan can fit: " : ": ";
  uint64_t rest_bytes = 0;
  for (std::size_t i = 0; i < error.live.size(); ++i) {
    if (i >= kListedMax) {
      rest_bytes += error.live[i].size_bytes;
    } else {
      text += (i == 0 ? "" : ", ") + quote(error.live[i].name) + " " +
              std::to_string(error.live[i].size_bytes);
    }
  }
  if (error.live.size() > kListedMax) {
    text += " and " + std::to_string(error.live.size() - kListedMax) + " more with " +
            bytes_counted(rest_bytes);
  }
  return text + ".";
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

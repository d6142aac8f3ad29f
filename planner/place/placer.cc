// Joins the methods one after another in time, plans, and narrows permissions that the plan broke.
#include "planner/place/placer.h"

#include <algorithm>
#include <map>
#include <optional>

#include "planner/graph/graph.h"
#include "planner/memory/problem/items.h"
#include "planner/memory/problem/live_bytes.h"
#include "planner/memory/problem/verify.h"
#include "planner/place/arenas.h"

namespace arenite::memory {
namespace {

// The life of a rigid group in one method.
struct Presence {
  uint32_t born = UINT32_MAX;  // the first step of any member
  uint32_t last_member = 0;    // the one that dies last
};

uint64_t step_count(const Problem& problem) {
  uint64_t count = 1;
  for (const Buffer& buffer : problem.buffers) {
    count = std::max(count, uint64_t{buffer.lifetime.last} + 1);
  }
  return count;
}

void shift(Lifetime& lifetime, uint32_t steps) {
  lifetime.first += steps;
  lifetime.last += steps;
}

void append(const Problem& method, uint32_t step, Problem& joint) {
  const auto first = static_cast<uint32_t>(joint.buffers.size());
  for (Buffer buffer : method.buffers) {
    shift(buffer.lifetime, step);
    for (Gap& gap : buffer.gaps) shift(gap.steps, step);
    if (buffer.relative) buffer.relative->base += first;
    joint.buffers.push_back(std::move(buffer));
  }
  for (Overlap overlap : method.overlaps) {
    overlap.input += first;
    overlap.output += first;
    joint.overlaps.push_back(overlap);
  }
}

}  // namespace

JointProblem join_methods(std::span<const Problem> methods) {
  JointProblem joint;
  if (!methods.empty()) joint.problem.memories = methods.front().memories;
  uint64_t step = 0;
  for (const Problem& method : methods) {
    const uint64_t next = step + step_count(method);
    if (next > UINT32_MAX) throw InputError("the methods have more than 2^32 - 1 steps together");
    joint.first_buffer.push_back(static_cast<uint32_t>(joint.problem.buffers.size()));
    joint.first_step.push_back(static_cast<uint32_t>(step));
    append(method, static_cast<uint32_t>(step), joint.problem);
    step = next;
  }
  joint.first_buffer.push_back(static_cast<uint32_t>(joint.problem.buffers.size()));
  return joint;
}

void keep_between_methods(JointProblem& joint) {
  std::vector<Buffer>& buffers = joint.problem.buffers;
  const std::vector<Anchor> anchors = find_anchors(buffers);
  std::map<uint32_t, std::map<std::size_t, Presence>> groups;  // by root, then by method
  for (std::size_t method = 0; method + 1 < joint.first_buffer.size(); ++method) {
    for (uint32_t i = joint.first_buffer[method]; i < joint.first_buffer[method + 1]; ++i) {
      const auto [here, added] = groups[anchors[i].root].try_emplace(method);
      Presence& presence = here->second;
      presence.born = std::min(presence.born, buffers[i].lifetime.first);
      if (added || buffers[i].lifetime.last > buffers[presence.last_member].lifetime.last) {
        presence.last_member = i;
      }
    }
  }
  std::vector<bool> kept(buffers.size());
  for (const auto& [root, methods] : groups) {
    for (auto next = std::next(methods.begin()); next != methods.end(); ++next) {
      const uint32_t member = std::prev(next)->second.last_member;
      buffers[member].lifetime.last = next->second.born - 1;
      kept[member] = true;
    }
  }
  std::erase_if(joint.problem.overlaps,
                [&kept](const Overlap& overlap) { return kept[overlap.input]; });
}

std::vector<Solution> split_methods(std::span<const uint32_t> first_buffer,
                                    const Solution& solution) {
  std::vector<Solution> solutions;
  for (std::size_t method = 0; method + 1 < first_buffer.size(); ++method) {
    const auto begin = solution.placements.begin();
    solutions.push_back({{begin + first_buffer[method], begin + first_buffer[method + 1]}});
  }
  return solutions;
}

}  // namespace arenite::memory

namespace arenite::planner {
namespace {

void verify(const memory::CheckedProblem& problem, const memory::Solution& solution) {
  if (const auto finding = memory::verify(problem.problem(), solution); finding.has_value()) {
    throw std::logic_error("the memory plan is wrong (" +
                           std::string(memory::name_of(finding->violation)) +
                           "): " + finding->message);
  }
}

// The size of memory that the methods share: in each memory, the most that one of them needs.
uint64_t shared_bytes(const Attempt& attempt) {
  uint64_t sum = 0;
  for (size_t m = 0; m < attempt.reports.front().memories.size(); ++m) {
    uint64_t most = 0;
    for (const memory::MemoryReport& report : attempt.reports) {
      most = std::max(most, report.memories[m].peak_bytes);
    }
    sum += most;
  }
  return sum;
}

size_t serial_steps(const Attempt& attempt) {
  size_t count = 0;
  for (const Schedule& plan : attempt.plans) {
    for (const ScheduledStep& step : plan.steps) count += step.serial ? 1 : 0;
  }
  return count;
}

// A problem's overlap holds from its lead on. If only the very place is right, and an output was
// put elsewhere, the permission is narrowed to the distances that are right, or withdrawn.
bool narrow(const Schedule& plan, std::vector<OverlapPermission>& permissions) {
  bool kept = true;
  for (OverlapPermission& permission : permissions) {
    if (is_kept(plan, permission)) continue;
    kept = false;
    permission.in_place = false;
    permission.overlap.lead_bytes = permission.serial_safe_bytes;
  }
  std::erase_if(permissions, [](const OverlapPermission& permission) {
    return !permission.in_place && permission.overlap.lead_bytes == INT64_MAX;
  });
  return kept;
}

// Bytes that live at one step of what a job has in a memory.
uint64_t live_bytes(const Attempt& permitting, const Attempt& placed, size_t job, uint32_t memory) {
  std::vector<bool> included(placed.solution.placements.size(), false);
  for (uint32_t b = placed.first_buffer[job]; b < placed.first_buffer[job + 1]; ++b) {
    included[b] = placed.solution.placements[b].memory == memory;
  }
  return memory::largest(memory::live_spans(permitting.problem, included)).bytes;
}

// Passes bounds between two attempts. A bound proved with more permissions holds with fewer, and
// for every plan that more permissions allow; the converse is false. A bound of one memory holds if
// both have the same.
void take_bounds(const Attempt& with_more, Attempt& with_fewer) {
  with_fewer.lower_bound = with_more.lower_bound;
  with_fewer.all_overlaps = with_more.all_overlaps;
  const bool same_memories =
      std::ranges::equal(with_more.solution.placements, with_fewer.solution.placements, {},
                         &memory::Placement::memory, &memory::Placement::memory);
  for (size_t i = 0; i < with_fewer.reports.size(); ++i) {
    memory::MemoryReport& report = with_fewer.reports[i];
    const memory::MemoryReport& proved = with_more.reports[i];
    report.lower_bound_bytes = proved.lower_bound_bytes;
    report.slow_traffic_bound_bytes = proved.slow_traffic_bound_bytes;
    for (uint32_t m = 0; m < report.memories.size(); ++m) {
      report.memories[m].lower_bound_bytes = same_memories
                                                 ? proved.memories[m].lower_bound_bytes
                                                 : live_bytes(with_more, with_fewer, i, m);
    }
    memory::raise_lower_bound(report, 0);  // optimal, or not
  }
}

// Adds buffers that are fixed or tied for all methods together; a single method's problem omits
// them.
void tell_constraints(const Attempt& attempt, size_t method, memory::MemoryReport& report) {
  const uint32_t first = attempt.first_buffer[method];
  for (uint32_t i = 0; i < report.buffers.size(); ++i) {
    const memory::Buffer& buffer = attempt.problem.buffers()[first + i];
    memory::PlacedBuffer& placed = report.buffers[i];
    placed.fixed = buffer.fixed.has_value();
    if (!buffer.relative) continue;
    const uint32_t base = buffer.relative->base;
    placed.tied_elsewhere = base < first || base >= attempt.first_buffer[method + 1];
    if (!placed.tied_elsewhere) {
      placed.relative = memory::Relative{base - first, buffer.relative->offset_bytes};
    }
  }
}

}  // namespace

std::string Placer::title() const {
  std::string text;
  for (const PlaceJob& job : jobs_) text += (text.empty() ? "" : "; ") + job.title;
  return text;
}

std::vector<Placer::Permissions> Placer::all_permissions() const {
  std::vector<Permissions> permissions;
  for (const PlaceJob& job : jobs_) permissions.push_back(job.permissions);
  return permissions;
}

Attempt Placer::run() const {
  std::vector<Permissions> permissions = all_permissions();
  Attempt best = attempt_kept(permissions);
  if (!best.fits || board_.threads_max <= 1 || serial_steps(best) == 0) return best;
  // Serial steps cost time: without those that do not lower the peak.
  for (Permissions& of_job : permissions) {
    std::erase_if(of_job, [](const OverlapPermission& p) { return !p.in_place; });
  }
  Attempt other = attempt_kept(std::move(permissions));
  if (!other.fits || shared_bytes(other) > shared_bytes(best)) return best;
  take_bounds(best, other);
  return other;
}

Attempt Placer::as_fixed() const {
  const std::vector<Permissions> permissions = all_permissions();
  Attempt result = attempt(permissions, true);
  mark(result, permissions);
  return result;
}

Attempt Placer::attempt_kept(std::vector<Permissions> permissions) const {
  std::optional<Attempt> first;  // with all permissions
  while (true) {
    Attempt result = attempt(permissions);
    // Each time round, some permission is narrowed for good.
    bool kept = true;
    for (size_t i = 0; i < jobs_.size(); ++i) kept &= narrow(result.plans[i], permissions[i]);
    if (!kept) {
      if (!first) first.emplace(std::move(result));
      continue;
    }
    if (first) take_bounds(*first, result);
    mark(result, permissions);
    return result;
  }
}

void Placer::mark(Attempt& result, const std::vector<Permissions>& permissions) const {
  for (size_t i = 0; i < jobs_.size(); ++i) mark_overlaps(result.plans[i], permissions[i]);
  // Only for one job: the sum over all jobs says nothing about each.
  if (jobs_.size() == 1) memory::raise_lower_bound(result.reports.front(), result.lower_bound);
}

// One plan of the memory with these permissions; where all is `fixed`, that plan.
Attempt Placer::attempt(const std::vector<Permissions>& permissions, bool fixed) const {
  try {
    std::vector<memory::Problem> problems;
    for (size_t i = 0; i < jobs_.size(); ++i) {
      problems.push_back(problem_of(*jobs_[i].plan, board_));
      for (const OverlapPermission& permission : permissions[i]) {
        problems.back().overlaps.push_back(permission.overlap);
      }
    }
    memory::JointProblem joint = memory::join_methods(problems);
    if (constrain_) constrain_.edit(joint.problem, joint.first_buffer);
    if (jobs_.size() > 1) memory::keep_between_methods(joint);
    Attempt result(constrain_ && !constrain_.file_name.empty()
                       ? memory::check(std::move(joint.problem), constrain_.file_name)
                       : memory::CheckedProblem(std::move(joint.problem)));
    result.first_buffer = std::move(joint.first_buffer);
    result.first_step = std::move(joint.first_step);
    if (fixed) {
      result.solution = memory::where_fixed(result.problem);
    } else {
      solve(result);
    }
    if (result.fits) verify(result.problem, result.solution);
    result.lower_bound = memory::lower_bound(result.problem, result.solution);
    result.all_overlaps = result.problem.overlaps();
    finish(std::move(problems), result);
    return result;
  } catch (const memory::InputError& error) {
    throw InputError(title() + ": " + error.what());
  }
}

void Placer::solve(Attempt& result) const {
  memory::Outcome outcome = memory::plan(algorithm_, result.problem);
  if (auto* why = std::get_if<memory::DoesNotFit>(&outcome); why != nullptr) {
    result.fits = false;
    result.first_unplaced = why->first_unplaced.buffer;
    result.solution = std::move(why->solution);
  } else {
    result.solution = std::get<memory::Solution>(std::move(outcome));
  }
}

// Plans and reports of the jobs, whose problems, `constrain` apart, are those.
void Placer::finish(std::vector<memory::Problem> problems, Attempt& result) const {
  std::vector<memory::Solution> solutions =
      memory::split_methods(result.first_buffer, result.solution);
  const auto add = [&](size_t i, const memory::CheckedProblem& problem) {
    result.plans.push_back(*jobs_[i].plan);
    result.reports.push_back(memory::make_report(problem, solutions[i]));
    if (jobs_.size() > 1) tell_constraints(result, i, result.reports[i]);
    apply(result.plans[i], board_, problem.problem(), solutions[i], result.reports[i]);
  };
  if (jobs_.size() == 1) {
    solutions.front().lower_bounds = result.solution.lower_bounds;
    return add(0, result.problem);
  }
  for (size_t i = 0; i < jobs_.size(); ++i) {
    const memory::CheckedProblem problem(std::move(problems[i]));
    if (result.fits) verify(problem, solutions[i]);
    add(i, problem);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Plans the memory of one variant, or of several together, within the overlaps that are right.
#include "planner/place/placer.h"

#include <algorithm>
#include <optional>

#include "planner/graph.h"
#include "planner/memory/live_bytes.h"
#include "planner/memory/verify.h"
#include "planner/place/arenas.h"

namespace arenite::planner {
namespace {

void check(const memory::Problem& problem, const memory::Solution& solution) {
  if (const auto finding = memory::verify(problem, solution); finding.has_value()) {
    throw std::logic_error("the memory plan is wrong (" +
                           std::string(memory::name_of(finding->violation)) +
                           "): " + finding->message);
  }
}

// Of memory that the methods share: in each memory, the most that one of them needs.
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
  for (const VariantPlan& plan : attempt.plans) {
    for (const VariantStep& step : plan.steps) count += step.serial ? 1 : 0;
  }
  return count;
}

// A problem's overlap holds from its lead on. Where only the very place is right, and an output
// was put elsewhere, the permission is narrowed to what is right from some distance on, or
// withdrawn.
bool narrow(const VariantPlan& plan, std::vector<OverlapPermission>& permissions) {
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

// What was proved with more permissions holds with fewer, and of every plan that more allow; what
// was proved with fewer does not.
void take_bounds(const Attempt& with_more, Attempt& with_fewer) {
  with_fewer.lower_bound = with_more.lower_bound;
  with_fewer.all_overlaps = with_more.all_overlaps;
  for (size_t i = 0; i < with_fewer.reports.size(); ++i) {
    memory::MemoryReport& report = with_fewer.reports[i];
    const memory::MemoryReport& proved = with_more.reports[i];
    report.lower_bound_bytes = proved.lower_bound_bytes;
    report.slow_traffic_bound_bytes = proved.slow_traffic_bound_bytes;
    memory::raise_lower_bound(report, 0);  // optimal, or not
  }
}

// What is fixed and tied for all methods together, which the problem of one does not say.
void tell_constraints(const memory::JointProblem& joint, size_t method,
                      memory::MemoryReport& report) {
  const uint32_t first = joint.first_buffer[method];
  for (uint32_t i = 0; i < report.buffers.size(); ++i) {
    const memory::Buffer& buffer = joint.problem.buffers[first + i];
    memory::PlacedBuffer& placed = report.buffers[i];
    placed.fixed = buffer.fixed.has_value();
    if (!buffer.relative) continue;
    const uint32_t base = buffer.relative->base;
    placed.tied_elsewhere = base < first || base >= joint.first_buffer[method + 1];
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

Attempt Placer::run() const {
  std::vector<Permissions> permissions;
  for (const PlaceJob& job : jobs_) permissions.push_back(job.permissions);
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

Attempt Placer::attempt_kept(std::vector<Permissions> permissions) const {
  std::optional<Attempt> first;  // with all permissions
  while (true) {
    Attempt result = attempt(permissions);
    // Each time round, some permission is narrowed for good.
    bool kept = true;
    for (size_t i = 0; i < jobs_.size(); ++i) kept &= narrow(result.plans[i], permissions[i]);
    if (!kept) {
      if (!first) first = std::move(result);
      continue;
    }
    for (size_t i = 0; i < jobs_.size(); ++i) mark_overlaps(result.plans[i], permissions[i]);
    if (first) take_bounds(*first, result);
    // Of one job alone: the sum over all says nothing about each.
    if (jobs_.size() == 1) {
      memory::raise_lower_bound(result.reports.front(), result.lower_bound);
    }
    return result;
  }
}

// One plan of the memory with these permissions.
Attempt Placer::attempt(const std::vector<Permissions>& permissions) const {
  Attempt result;
  std::vector<memory::Problem> problems;
  for (size_t i = 0; i < jobs_.size(); ++i) {
    problems.push_back(problem_of(*jobs_[i].plan, board_));
    for (const OverlapPermission& permission : permissions[i]) {
      problems.back().overlaps.push_back(permission.overlap);
    }
  }
  try {
    memory::JointProblem& joint = result.joint;
    joint = memory::join_methods(problems);
    if (constrain_) {
      constrain_(joint.problem, joint.first_buffer);
      memory::keep_between_methods(joint);
    }
    memory::Outcome outcome = memory::plan(algorithm_, joint.problem);
    if (auto* why = std::get_if<memory::DoesNotFit>(&outcome); why != nullptr) {
      result.fits = false;
      result.first_unplaced = why->first_unplaced.buffer;
      result.solution = std::move(why->solution);
    } else {
      result.solution = std::get<memory::Solution>(std::move(outcome));
      check(joint.problem, result.solution);
    }
    result.lower_bound = std::max(memory::lower_bound(joint.problem), result.solution.lower_bound);
    result.all_overlaps = joint.problem.overlaps;
    finish(std::move(problems), result);
  } catch (const memory::InputError& error) {
    throw InputError(title() + ": " + error.what());
  }
  return result;
}

void Placer::finish(std::vector<memory::Problem> problems, Attempt& result) const {
  if (jobs_.size() == 1) problems.front() = result.joint.problem;
  const std::vector<memory::Solution> solutions =
      memory::split_methods(result.joint, result.solution);
  for (size_t i = 0; i < jobs_.size(); ++i) {
    if (result.fits) check(problems[i], solutions[i]);
    result.plans.push_back(*jobs_[i].plan);
    result.reports.push_back(memory::make_report(problems[i], solutions[i]));
    if (jobs_.size() > 1) tell_constraints(result.joint, i, result.reports[i]);
    apply(result.plans[i], problems[i], solutions[i], result.reports[i]);
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

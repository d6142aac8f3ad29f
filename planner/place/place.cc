// Hands jobs to the placer, and turns its attempt into one result for each job.
#include "planner/place/place.h"

#include "planner/graph/names.h"
#include "planner/place/arenas.h"
#include "planner/place/least_memory.h"
#include "planner/place/placer.h"

namespace arenite::planner {

std::string step_text(const Schedule& plan, uint32_t step) {
  if (step >= plan.steps.size()) return "step " + std::to_string(step);
  const ScheduledStep& s = plan.steps[step];
  return "step " + std::to_string(step) + " (" + op_name(s.op) + ", " + printable(s.name) + ")";
}

namespace {

// Hands the attempt over to the jobs.
std::vector<Placing> take(Attempt attempt, std::span<const PlaceJob> jobs, const Board& board) {
  std::vector<Placing> placed(jobs.size());
  for (size_t i = 0; i < jobs.size(); ++i) {
    *jobs[i].plan = std::move(attempt.plans[i]);
    placed[i].memories = std::move(attempt.reports[i]);
    for (size_t m = 0; m < placed[i].memories.memories.size(); ++m) {
      placed[i].memories.memories[m].size_bytes =
          jobs[i].plan->vulkan ? memory::kUnbounded : board.memories[m].memory.size_bytes;
    }
  }
  return placed;
}

}  // namespace

std::vector<Placing> place_together(std::span<const PlaceJob> jobs, const Board& board,
                                    memory::Algorithm algorithm, const Constrain& constrain) {
  Attempt best = Placer(jobs, board, algorithm, constrain).run();
  std::optional<JobShortage> shortage;
  if (!best.fits) shortage = find_least_memory(jobs, board, algorithm, constrain, best);
  std::vector<Placing> placed = take(std::move(best), jobs, board);
  if (shortage) placed[shortage->job].shortage = std::move(shortage->shortage);
  return placed;
}

Placing place_as_fixed(const PlaceJob& job, const Board& board, const Constrain& constrain) {
  const std::span jobs(&job, 1);
  return take(Placer(jobs, board, {}, constrain).as_fixed(), jobs, board).front();
}

uint64_t least_bytes(const PlaceJob& job, const Board& board) {
  memory::Problem problem = problem_of(*job.plan, board);
  for (const OverlapPermission& permission : job.permissions) {
    problem.overlaps.push_back(permission.overlap);
  }
  const memory::CheckedProblem checked(std::move(problem));
  uint64_t sum = 0;
  for (uint32_t m = 0; m < checked.memories().size(); ++m) {
    std::vector<bool> inside;
    for (const memory::Buffer& buffer : checked.buffers()) {
      inside.push_back(buffer.allowed == std::vector<uint32_t>{m});
    }
    sum += memory::largest(memory::live_spans(checked, inside)).bytes;
  }
  return sum;
}

Placing place(Schedule& plan, const Board& board, memory::Algorithm algorithm,
              const std::string& title, const std::vector<OverlapPermission>& permissions) {
  const PlaceJob job{&plan, title, permissions};
  return place_together({&job, 1}, board, algorithm, {}).front();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

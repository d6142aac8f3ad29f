// Places a variant's residents in the memories of its board.
#include "planner/schedule/place.h"

#include <algorithm>

#include "core/program.h"
#include "planner/graph.h"
#include "planner/memory/methods.h"
#include "planner/memory/verify.h"
#include "planner/names.h"

namespace arenite::planner {
namespace {

using format::ArenaKind;

constexpr uint64_t kArenaBytesMax = 0xffffff00u;  // offsets are stored in 32 bits
// What malloc gives on every machine; no element is larger.
constexpr uint32_t kCallerAlignment = 8;

struct ArenaChoice {
  const char* name;
  ArenaKind kind;
};
constexpr ArenaChoice kDeviceArenas[] = {{"device", ArenaKind::kDevice},
                                         {"upload", ArenaKind::kUpload},
                                         {"readback", ArenaKind::kReadback}};

std::vector<memory::Memory> memories_of(const VariantPlan& plan, const Board& board) {
  std::vector<memory::Memory> memories;
  if (plan.vulkan) {
    for (const ArenaChoice& arena : kDeviceArenas) {
      memory::Memory memory;
      memory.name = arena.name;
      memory.alignment = kDeviceAlignment;
      memories.push_back(memory);
    }
  } else {
    for (const BoardMemory& memory : board.memories) memories.push_back(memory.memory);
  }
  for (memory::Memory& memory : memories) {
    memory.size_bytes = std::min(memory.size_bytes, kArenaBytesMax);
  }
  return memories;
}

memory::Problem problem_of(const VariantPlan& plan, const Board& board) {
  memory::Problem problem;
  problem.memories = memories_of(plan, board);
  for (const Resident& resident : plan.residents) {
    memory::Buffer buffer;
    buffer.name = printable(resident.name);
    // What the caller owns takes no byte of any memory.
    buffer.size_bytes = resident.kind == ArenaKind::kCaller ? 0 : resident.bytes;
    buffer.lifetime = {resident.live.first, resident.live.last};
    if (plan.vulkan) {
      for (uint32_t m = 0; m < std::size(kDeviceArenas); ++m) {
        if (kDeviceArenas[m].kind == resident.kind) buffer.allowed = {m};
      }
    }
    problem.buffers.push_back(std::move(buffer));
  }
  for (const VariantStep& step : plan.steps) {
    for (const std::optional<Operand>& operand : step.step.inputs) {
      if (operand.has_value() && !operand->constant && step.where != format::Where::kView) {
        ++problem.buffers[operand->index].reads;
      }
    }
    for (const std::optional<Operand>& operand : step.step.outputs) {
      if (operand.has_value() && !operand->constant && step.where != format::Where::kView) {
        ++problem.buffers[operand->index].writes;
      }
    }
  }
  return problem;
}

void check(const memory::Problem& problem, const memory::Solution& solution) {
  if (const auto finding = memory::verify(problem, solution); finding.has_value()) {
    throw std::logic_error("the memory plan is wrong (" +
                           std::string(memory::name_of(finding->violation)) +
                           "): " + finding->message);
  }
}

// An arena of its own for each input and output that is left to the caller.
void add_caller_arenas(VariantPlan& plan) {
  const auto add = [&plan](uint32_t resident, const std::string& name) {
    Resident& r = plan.residents[resident];
    if (r.kind != ArenaKind::kCaller || r.arena != kNoIndex) return;
    r.arena = static_cast<uint32_t>(plan.arenas.size());
    r.offset = 0;
    plan.arenas.push_back(
        {name, ArenaKind::kCaller, static_cast<uint32_t>(r.bytes), kCallerAlignment});
  };
  for (size_t i = 0; i < plan.inputs.size(); ++i) add(plan.inputs[i], "input " + std::to_string(i));
  for (size_t i = 0; i < plan.outputs.size(); ++i) {
    add(plan.outputs[i], "output " + std::to_string(i));
  }
  if (plan.arenas.size() > kMaxArenas) {
    throw InputError("--io caller: " + std::to_string(plan.inputs.size()) + " inputs and " +
                     std::to_string(plan.outputs.size()) + " outputs make " +
                     std::to_string(plan.arenas.size()) + " arenas; expected at most " +
                     std::to_string(kMaxArenas));
  }
}

// Arenas of the memories that hold something, each as large as its peak, then those of the caller.
void apply(VariantPlan& plan, const memory::Problem& problem, const memory::Solution& solution,
           const memory::MemoryReport& report) {
  std::vector<uint32_t> arena_of_memory(problem.memories.size());
  plan.arenas.clear();
  for (uint32_t m = 0; m < problem.memories.size(); ++m) {
    bool used = false;
    for (size_t i = 0; i < plan.residents.size(); ++i) {
      used |= solution.placements[i].memory == m && plan.residents[i].kind != ArenaKind::kCaller;
    }
    if (!used) continue;
    arena_of_memory[m] = static_cast<uint32_t>(plan.arenas.size());
    Arena arena;
    arena.name = problem.memories[m].name;
    arena.kind = plan.vulkan ? kDeviceArenas[m].kind : ArenaKind::kHost;
    arena.bytes = static_cast<uint32_t>(report.memories[m].peak_bytes);
    arena.alignment = problem.memories[m].alignment;
    plan.arenas.push_back(arena);
  }
  for (size_t i = 0; i < plan.residents.size(); ++i) {
    if (plan.residents[i].kind == ArenaKind::kCaller) {
      plan.residents[i].arena = kNoIndex;
      continue;
    }
    plan.residents[i].arena = arena_of_memory[solution.placements[i].memory];
    plan.residents[i].offset = static_cast<uint32_t>(solution.placements[i].offset);
  }
  add_caller_arenas(plan);
}

}  // namespace

std::string step_text(const VariantPlan& plan, uint32_t step) {
  if (step >= plan.steps.size()) return "step " + std::to_string(step);
  const VariantStep& s = plan.steps[step];
  return "step " + std::to_string(step) + " (" + op_name(s.step.op) + ", " +
         printable(s.step.name) + ")";
}

namespace {

struct Attempt {
  std::vector<VariantPlan> plans;
  std::vector<memory::MemoryReport> reports;

  // Of memory that the methods share: in each memory, the most that one of them needs.
  uint64_t shared_bytes() const {
    uint64_t sum = 0;
    for (size_t m = 0; m < reports.front().memories.size(); ++m) {
      uint64_t most = 0;
      for (const memory::MemoryReport& report : reports) {
        most = std::max(most, report.memories[m].peak_bytes);
      }
      sum += most;
    }
    return sum;
  }
};

// Plans of the memory of jobs, one or several methods together.
class Placer {
 public:
  Placer(std::span<const PlaceJob> jobs, const Board& board, memory::Algorithm algorithm,
         const Constrain& constrain)
      : jobs_(jobs), board_(board), algorithm_(algorithm), constrain_(constrain) {}

  Attempt run() const {
    std::vector<Permissions> permissions;
    for (const PlaceJob& job : jobs_) permissions.push_back(job.permissions);
    Attempt best = attempt_kept(permissions);
    if (board_.threads_max <= 1 || serial_steps(best) == 0) return best;
    // Serial steps cost time: without those that do not lower the peak.
    for (Permissions& of_job : permissions) {
      std::erase_if(of_job, [](const OverlapPermission& p) { return !p.in_place; });
    }
    try {
      Attempt other = attempt_kept(std::move(permissions));
      if (other.shared_bytes() <= best.shared_bytes()) best = std::move(other);
    } catch (const DoesNotFitError&) {
      // They are needed.
    }
    return best;
  }

 private:
  using Permissions = std::vector<OverlapPermission>;

  // What error messages begin with.
  std::string title() const {
    std::string text;
    for (const PlaceJob& job : jobs_) text += (text.empty() ? "" : "; ") + job.title;
    return text;
  }

  std::string joint_step_text(const memory::JointProblem& joint, uint32_t step) const {
    size_t job = jobs_.size() - 1;
    while (step < joint.first_step[job]) --job;
    return (jobs_.size() == 1 ? "" : jobs_[job].title + ", ") +
           step_text(*jobs_[job].plan, step - joint.first_step[job]);
  }

  // One plan of the memory with these permissions.
  Attempt attempt(const std::vector<Permissions>& permissions) const {
    std::vector<memory::Problem> problems;
    for (size_t i = 0; i < jobs_.size(); ++i) {
      problems.push_back(problem_of(*jobs_[i].plan, board_));
      for (const OverlapPermission& permission : permissions[i]) {
        problems.back().overlaps.push_back(permission.overlap);
      }
    }
    Attempt result;
    try {
      memory::JointProblem joint = memory::join_methods(problems);
      if (constrain_) {
        constrain_(joint.problem, joint.first_buffer);
        memory::keep_between_methods(joint);
      }
      memory::Outcome outcome = memory::plan(algorithm_, joint.problem);
      if (auto* why = std::get_if<memory::DoesNotFit>(&outcome); why != nullptr) {
        throw DoesNotFitError(title() + ": " + memory::message(*why) + "\nthe worst step is " +
                                  joint_step_text(joint, why->step),
                              *why);
      }
      const auto& solution = std::get<memory::Solution>(outcome);
      check(joint.problem, solution);
      if (jobs_.size() == 1) problems.front() = joint.problem;
      finish(problems, memory::split_methods(joint, solution), result);
    } catch (const memory::InputError& error) {
      throw InputError(title() + ": " + error.what());
    }
    return result;
  }

  void finish(const std::vector<memory::Problem>& problems,
              const std::vector<memory::Solution>& solutions, Attempt& result) const {
    for (size_t i = 0; i < jobs_.size(); ++i) {
      check(problems[i], solutions[i]);
      result.plans.push_back(*jobs_[i].plan);
      result.reports.push_back(memory::make_report(problems[i], solutions[i]));
      apply(result.plans[i], problems[i], solutions[i], result.reports[i]);
    }
  }

  // A problem's overlap holds from its lead on. Where only the very place is right, and an output
  // was put elsewhere, the permission is narrowed to what is right from some distance on, or
  // withdrawn.
  static bool narrow(const VariantPlan& plan, Permissions& permissions) {
    bool kept = true;
    for (OverlapPermission& permission : permissions) {
      if (is_kept(plan, permission)) continue;
      kept = false;
      permission.in_place = false;
      permission.overlap.lead_bytes = permission.serial_lead_bytes;
    }
    std::erase_if(permissions, [](const OverlapPermission& permission) {
      return !permission.in_place && permission.overlap.lead_bytes == INT64_MAX;
    });
    return kept;
  }

  Attempt attempt_kept(std::vector<Permissions> permissions) const {
    while (true) {
      Attempt result = attempt(permissions);
      // Each time round, some permission is narrowed for good.
      bool kept = true;
      for (size_t i = 0; i < jobs_.size(); ++i) kept &= narrow(result.plans[i], permissions[i]);
      if (!kept) continue;
      for (size_t i = 0; i < jobs_.size(); ++i) mark_overlaps(result.plans[i], permissions[i]);
      return result;
    }
  }

  static size_t serial_steps(const Attempt& attempt) {
    size_t count = 0;
    for (const VariantPlan& plan : attempt.plans) {
      for (const VariantStep& step : plan.steps) count += step.serial ? 1 : 0;
    }
    return count;
  }

  std::span<const PlaceJob> jobs_;
  const Board& board_;
  memory::Algorithm algorithm_;
  const Constrain& constrain_;
};

}  // namespace

std::vector<memory::MemoryReport> place_together(std::span<const PlaceJob> jobs, const Board& board,
                                                 memory::Algorithm algorithm,
                                                 const Constrain& constrain) {
  Attempt best = Placer(jobs, board, algorithm, constrain).run();
  for (size_t i = 0; i < jobs.size(); ++i) {
    *jobs[i].plan = std::move(best.plans[i]);
    for (size_t m = 0; m < best.reports[i].memories.size(); ++m) {
      best.reports[i].memories[m].size_bytes =
          jobs[i].plan->vulkan ? memory::kUnbounded : board.memories[m].memory.size_bytes;
    }
  }
  return std::move(best.reports);
}

memory::MemoryReport place(VariantPlan& plan, const Board& board, memory::Algorithm algorithm,
                           const std::string& title,
                           const std::vector<OverlapPermission>& permissions) {
  const PlaceJob job{&plan, title, permissions};
  return place_together({&job, 1}, board, algorithm, nullptr).front();
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

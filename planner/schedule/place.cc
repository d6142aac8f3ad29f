// Places a variant's residents in the memories of its board.
#include "planner/schedule/place.h"

#include <algorithm>

#include "core/program.h"
#include "planner/graph.h"
#include "planner/memory/verify.h"
#include "planner/names.h"

namespace arenite::planner {
namespace {

using format::ArenaKind;

constexpr uint64_t kArenaBytesMax = 0xffffff00u;  // offsets are stored in 32 bits
// The largest minStorageBufferOffsetAlignment and nonCoherentAtomSize a device may have.
constexpr uint32_t kDeviceAlignment = 256;
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
  VariantPlan plan;
  memory::MemoryReport report;
};

// One plan of the memory with these permissions.
Attempt attempt(const VariantPlan& plan, const Board& board, memory::Algorithm algorithm,
                const std::string& title, const std::vector<OverlapPermission>& permissions) {
  memory::Problem problem = problem_of(plan, board);
  for (const OverlapPermission& permission : permissions) {
    problem.overlaps.push_back(permission.overlap);
  }
  Attempt result;
  result.plan = plan;
  memory::Outcome outcome;
  try {
    outcome = memory::plan(algorithm, problem);
    if (auto* why = std::get_if<memory::DoesNotFit>(&outcome); why != nullptr) {
      throw DoesNotFitError(title + ": " + memory::message(*why) + "\nthe worst step is " +
                                step_text(plan, why->step),
                            *why);
    }
    result.report = memory::make_report(problem, std::get<memory::Solution>(outcome));
  } catch (const memory::InputError& error) {
    throw InputError(title + ": " + error.what());
  }
  const auto& solution = std::get<memory::Solution>(outcome);
  check(problem, solution);
  apply(result.plan, problem, solution, result.report);
  return result;
}

// A problem's overlap holds from its lead on. Where only the very place is right, and an output was
// put elsewhere, the permission is narrowed to what is right from some distance on, or withdrawn.
bool narrow(const VariantPlan& plan, std::vector<OverlapPermission>& permissions) {
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

Attempt attempt_kept(const VariantPlan& plan, const Board& board, memory::Algorithm algorithm,
                     const std::string& title, std::vector<OverlapPermission> permissions) {
  while (true) {
    Attempt result = attempt(plan, board, algorithm, title, permissions);
    // Each time round, some permission is narrowed for good.
    if (narrow(result.plan, permissions)) {
      mark_overlaps(result.plan, permissions);
      return result;
    }
  }
}

uint32_t serial_steps(const VariantPlan& plan) {
  return static_cast<uint32_t>(std::count_if(plan.steps.begin(), plan.steps.end(),
                                             [](const VariantStep& step) { return step.serial; }));
}

}  // namespace

memory::MemoryReport place(VariantPlan& plan, const Board& board, memory::Algorithm algorithm,
                           const std::string& title,
                           const std::vector<OverlapPermission>& permissions) {
  Attempt best = attempt_kept(plan, board, algorithm, title, permissions);
  if (board.threads_max > 1 && serial_steps(best.plan) != 0) {
    // Serial steps cost time: without those that do not lower the peak.
    std::vector<OverlapPermission> parallel = permissions;
    std::erase_if(parallel, [](const OverlapPermission& p) { return !p.in_place; });
    try {
      Attempt other = attempt_kept(plan, board, algorithm, title, parallel);
      if (other.report.peak_sum_bytes <= best.report.peak_sum_bytes) best = std::move(other);
    } catch (const DoesNotFitError&) {
      // They are needed.
    }
  }
  plan = std::move(best.plan);
  for (size_t m = 0; m < best.report.memories.size(); ++m) {
    best.report.memories[m].size_bytes =
        plan.vulkan ? memory::kUnbounded : board.memories[m].memory.size_bytes;
  }
  return best.report;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

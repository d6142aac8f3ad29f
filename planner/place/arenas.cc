// A storage becomes a buffer, an arena a memory; offsets come back as places inside arenas.
#include "planner/place/arenas.h"

#include <algorithm>

#include "core/program.h"
#include "planner/graph/graph.h"
#include "planner/graph/names.h"

namespace arenite::planner {
namespace {

using format::ArenaKind;

// The alignment that malloc gives on every machine; no element is larger.
constexpr uint32_t kCallerAlignment = 8;
constexpr uint32_t kStateAlignment = 64;  // where no board says more of the memory

struct ArenaChoice {
  const char* name;
  ArenaKind kind;
};
constexpr ArenaChoice kDeviceArenas[] = {{"device", ArenaKind::kDevice},
                                         {"upload", ArenaKind::kUpload},
                                         {"readback", ArenaKind::kReadback}};

std::vector<memory::Memory> memories_of(const Schedule& plan, const Board& board) {
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

}  // namespace

memory::Problem problem_of(const Schedule& plan, const Board& board) {
  memory::Problem problem;
  problem.memories = memories_of(plan, board);
  for (const Storage& storage : plan.storages) {
    memory::Buffer buffer;
    buffer.name = printable(storage.name);
    buffer.size_bytes = storage.shares_memory() ? storage.bytes : 0;
    buffer.lifetime = {storage.lifetime.first, storage.lifetime.last};
    if (plan.vulkan) {
      for (uint32_t m = 0; m < std::size(kDeviceArenas); ++m) {
        if (kDeviceArenas[m].kind == storage.kind) buffer.allowed = {m};
      }
    }
    problem.buffers.push_back(std::move(buffer));
  }
  for (const ScheduledStep& step : plan.steps) {
    for (const std::optional<Operand>& operand : step.inputs) {
      if (operand.has_value() && !operand->constant && step.where != format::Where::kView) {
        ++problem.buffers[operand->index].reads;
      }
    }
    for (const std::optional<Operand>& operand : step.outputs) {
      if (operand.has_value() && !operand->constant && step.where != format::Where::kView) {
        ++problem.buffers[operand->index].writes;
      }
    }
  }
  return problem;
}

namespace {

// One arena behind the others for all states, in the memory of the board that holds them.
void add_state_arena(Schedule& plan, const Board& board) {
  Arena arena{"state", ArenaKind::kState, 0, kStateAlignment};
  for (const BoardMemory& memory : board.memories) {
    if (!plan.vulkan && memory.holds_states) {
      arena.name = memory.memory.name;
      arena.alignment = memory.memory.alignment;
    }
  }
  uint64_t end = 0;
  bool any = false;
  for (Storage& storage : plan.storages) {
    if (storage.kind != ArenaKind::kState) continue;
    any = true;
    storage.arena = static_cast<uint32_t>(plan.arenas.size());
    storage.offset = static_cast<uint32_t>(end);
    end = (end + storage.bytes + arena.alignment - 1) / arena.alignment * arena.alignment;
    if (end > kArenaBytesMax) throw InputError("the states take more than 4 GiB");
  }
  if (!any) return;
  if (plan.arenas.size() == kMaxArenas) {
    throw InputError("states have an arena of their own, behind " + std::to_string(kMaxArenas) +
                     " of the board's memories; expected at most " +
                     std::to_string(kMaxArenas - 1));
  }
  arena.bytes = static_cast<uint32_t>(end);
  plan.arenas.push_back(std::move(arena));
}

// An arena of its own for each input and output that is left to the caller.
void add_caller_arenas(Schedule& plan) {
  const auto add = [&plan](uint32_t storage, const std::string& name) {
    Storage& r = plan.storages[storage];
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

}  // namespace

void apply(Schedule& plan, const Board& board, const memory::Problem& problem,
           const memory::Solution& solution, const memory::MemoryReport& report) {
  std::vector<uint32_t> arena_of_memory(problem.memories.size());
  plan.arenas.clear();
  for (uint32_t m = 0; m < problem.memories.size(); ++m) {
    bool used = false;
    for (size_t i = 0; i < plan.storages.size(); ++i) {
      used |= solution.placements[i].memory == m && plan.storages[i].shares_memory();
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
  for (size_t i = 0; i < plan.storages.size(); ++i) {
    if (!plan.storages[i].shares_memory()) {
      plan.storages[i].arena = kNoIndex;
      continue;
    }
    plan.storages[i].arena = arena_of_memory[solution.placements[i].memory];
    plan.storages[i].offset = static_cast<uint32_t>(solution.placements[i].offset);
  }
  add_state_arena(plan, board);
  add_caller_arenas(plan);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

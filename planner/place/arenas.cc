// A storage becomes a buffer, an arena a memory; offsets come back as places inside arenas.
#include "planner/place/arenas.h"

#include <algorithm>

#include "core/program.h"
#include "planner/graph/graph.h"
#include "planner/graph/names.h"

namespace arenite::planner {
namespace {

using format::ArenaKind;

constexpr uint64_t kArenaBytesMax = 0xffffff00u;  // offsets are stored in 32 bits
// The alignment that malloc gives on every machine; no element is larger.
constexpr uint32_t kCallerAlignment = 8;

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
    // Memory that the caller owns takes no byte of any memory of the board.
    buffer.size_bytes = storage.kind == ArenaKind::kCaller ? 0 : storage.bytes;
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

void apply(Schedule& plan, const memory::Problem& problem, const memory::Solution& solution,
           const memory::MemoryReport& report) {
  std::vector<uint32_t> arena_of_memory(problem.memories.size());
  plan.arenas.clear();
  for (uint32_t m = 0; m < problem.memories.size(); ++m) {
    bool used = false;
    for (size_t i = 0; i < plan.storages.size(); ++i) {
      used |= solution.placements[i].memory == m && plan.storages[i].kind != ArenaKind::kCaller;
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
    if (plan.storages[i].kind == ArenaKind::kCaller) {
      plan.storages[i].arena = kNoIndex;
      continue;
    }
    plan.storages[i].arena = arena_of_memory[solution.placements[i].memory];
    plan.storages[i].offset = static_cast<uint32_t>(solution.placements[i].offset);
  }
  add_caller_arenas(plan);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Looks an arena's memory up by its name.
#include "tools/simulate/board_cpu.h"

#include <vector>

#include "portable_fallback/forms.h"
#include "support/cpu_features.h"
#include "support/errors.h"
#include "support/printable.h"
#include "support/suggest.h"

namespace arenite::tools {

// Of forms for other kinds of CPU this machine has no code.
CpuFeatures simulated_features(const planner::Board& board, bool with_vulkan) {
  CpuFeatures features = board.cpu_features;
  for (const planner::BoardVariant& variant : board.variants) {
    if (variant.vulkan.has_value() == with_vulkan) features |= variant.cpu_features;
  }
  return features & (host_cpu_features() | kEmulatedCpuFeatures);
}

std::string check_arena(const ProgramFile& file, const Program& program,
                        const format::ArenaRecord& arena, const planner::Board& board) {
  std::string name(program.string(arena.name_offset, arena.name_bytes));
  if (static_cast<format::ArenaKind>(arena.kind) != format::ArenaKind::kHost) return name;
  std::vector<std::string> names;
  for (const planner::BoardMemory& memory : board.memories) {
    names.push_back(memory.memory.name);
    if (memory.memory.name != name) continue;
    if (arena.bytes <= memory.full_bytes()) return name;
    throw InputError(file.name() + ": its arena in memory " + quote(name) + " of board " +
                     quote(board.name) + " does not fit: expected at most " +
                     std::to_string(memory.full_bytes()) + " bytes, found " +
                     std::to_string(arena.bytes));
  }
  throw InputError(file.name() + ": has an arena in memory " + quote(name) + ", which board " +
                   quote(board.name) + " lacks: expected " + listed(names));
}

std::string program_memory(const planner::Board& board) {
  for (const planner::ProgramMemory& memory : board.program_memories) {
    if (memory.holds_program) return memory.name;
  }
  return "program";
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

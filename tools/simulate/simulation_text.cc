// Lays arenas, and bytes by step and memory, out in columns.
#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "support/printable.h"
#include "tools/simulate/simulate.h"

namespace arenite::tools {
namespace {

[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

unsigned long long number(uint64_t n) { return n; }

std::string arena_text(const SimulatedArena& arena) {
  std::string text = "arena " + printable(arena.memory) + ": " +
                     std::to_string(arena.planned_bytes) + " bytes planned, " +
                     std::to_string(arena.touched_bytes) + " touched";
  if (arena.memory_bytes != 0) text += ", of " + std::to_string(arena.memory_bytes);
  return text + "\n";
}

// "            12           34", read and written
std::string moves_text(const std::vector<SimulatedMoves>& moved, const std::string& memory) {
  const auto found = std::ranges::find(moved, memory, &SimulatedMoves::memory);
  if (found == moved.end()) return formatted("  %12s %12s", "-", "-");
  return formatted("  %12llu %12llu", number(found->read_bytes), number(found->written_bytes));
}

}  // namespace

std::string to_text(const Simulation& simulation) {
  std::string text;
  for (const SimulatedArena& arena : simulation.arenas) text += arena_text(arena);
  if (simulation.predicted_us) {
    text += formatted("predicted by the board's costs: %.1f us\n", *simulation.predicted_us);
  }
  if (!simulation.counted) return text;
  text += simulation.by_extents
              ? "bytes of the operands that are read and written in a run, each element once:\n"
              : "bytes read and written in a run:\n";
  std::string names;
  std::string all;
  for (const SimulatedMoves& memory : simulation.memories) {
    const std::string name = printable(memory.memory).substr(0, 18);
    names += formatted("  %25s", (name + " r, w").c_str());
    all += moves_text(simulation.memories, memory.memory);
  }
  text += names + "\n";
  for (const SimulatedStep& step : simulation.steps) {
    std::string line;
    for (const SimulatedMoves& memory : simulation.memories) {
      line += moves_text(step.moved, memory.memory);
    }
    text += line + "  " + printable(step.row.name) + " (" + step.form + ")\n";
  }
  if (!simulation.states.empty()) {
    for (const SimulatedMoves& memory : simulation.memories) {
      text += moves_text(simulation.states, memory.memory);
    }
    text += "  states take their next values\n";
  }
  return text + all + "  in all\n";
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

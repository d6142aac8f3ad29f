// Plans once for each option that the user did not give, and notes the bytes still missing.
#include "planner/fit/advice.h"

#include <algorithm>

namespace arenite::planner {
namespace {

struct Trial {
  std::string what;  // as the subject of a sentence
  PlanOptions options;
  bool all_or_nothing = false;  // it is worth a word only where it makes all fit
};

// The bytes missing on one board.
struct Missing {
  uint64_t arena_bytes = 0, program_bytes = 0;

  uint64_t sum() const { return arena_bytes + program_bytes; }
};

Missing missing_on(const std::string& board, const std::vector<Shortage>& shortages) {
  Missing missing;
  for (const Shortage& shortage : shortages) {
    if (shortage.board != board) continue;
    (shortage.holds_program ? missing.program_bytes : missing.arena_bytes) += shortage.short_bytes;
  }
  return missing;
}

std::vector<Trial> trials_for(const Board& board, const PlanOptions& options,
                              const Missing& missing) {
  PlanOptions alone = options;
  alone.boards = {board};
  std::vector<Trial> trials;
  const auto add = [&](const std::string& what) -> PlanOptions& {
    trials.push_back({what, alone, false});
    return trials.back().options;
  };
  if (missing.arena_bytes != 0) {
    if (options.memory_planner != memory::kDefaultAlgorithm) {
      add("--memory-planner " + std::string(memory::name_of(memory::kDefaultAlgorithm)))
          .memory_planner = memory::kDefaultAlgorithm;
    }
    if (!options.disabled_passes.empty()) {
      add("with no pass disabled, the plan").disabled_passes.clear();
    }
    if (options.optimize == Optimize::kSpeed) {
      add("--optimize memory").optimize = Optimize::kMemory;
    }
    if (!options.caller_io) {
      add("--io caller (inputs and outputs in the application's memory)").caller_io = true;
    }
    if (!options.constraints.entries.empty()) {
      add("without --constraints, the plan").constraints = {};
    }
  }
  if (missing.arena_bytes == 0 && options.image.empty()) {
    for (const char* image : {"embedded", "harness"}) {
      const auto serves = [&](const ProgramMemory& memory) { return memory.image == image; };
      const auto& memories = board.program_memories;
      const auto count = std::count_if(memories.begin(), memories.end(), serves);
      if (count == 0 || static_cast<size_t>(count) == memories.size()) continue;
      add("--image " + std::string(image)).image = image;
      trials.back().all_or_nothing = true;
    }
  }
  return trials;
}

Missing missing_with(const std::vector<NamedGraph>& graphs, const Trial& trial) {
  try {
    plan_graphs(graphs, trial.options);
    return {};
  } catch (const DoesNotFitError& error) {
    return missing_on(trial.options.boards.front().name, error.report.shortages);
  }
}

}  // namespace

void add_advice(const std::vector<NamedGraph>& graphs, const PlanOptions& options,
                PlanReport& report) {
  for (const Board& board : options.boards) {
    const Missing missing = missing_on(board.name, report.shortages);
    if (missing.sum() == 0) continue;
    // Said once a board, with the last of its shortages.
    const auto last =
        std::find_if(report.shortages.rbegin(), report.shortages.rend(),
                     [&](const Shortage& shortage) { return shortage.board == board.name; });
    for (const Trial& trial : trials_for(board, options, missing)) {
      const Missing left = missing_with(graphs, trial);
      if (left.sum() == 0) {
        last->advice.push_back(trial.what + " fits");
      } else if (left.sum() < missing.sum() && !trial.all_or_nothing) {
        last->advice.push_back(trial.what + " leaves " + std::to_string(left.sum()) +
                               " bytes missing of " + std::to_string(missing.sum()));
      }
    }
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

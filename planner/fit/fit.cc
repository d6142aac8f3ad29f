// Plans the models for one board after the other, then for budgets halved from 1 MiB on.
#include "planner/fit/fit.h"

#include <algorithm>

#include "planner/board/code_sizes.h"

namespace arenite::planner {
namespace {

void add_flash(const PlanReport& report, FitRow& row) {
  for (const ProgramMemoryReport& memory : report.program_memories) {
    row.flash_bytes += memory.program_bytes + memory.code_bytes.value_or(0);
    row.flash_has_code |= memory.code_bytes.has_value();
    row.code_is_known &= memory.is_known();
  }
  if (report.program_memories.empty()) row.flash_bytes = report.bytes;
}

// The variant whose steps hold most at once.
void add_floor(const PlanReport& report, FitRow& row) {
  uint64_t most = 0;
  for (const VariantReport& variant : report.variants) {
    if (variant.vulkan || variant.memories.total_peak_bytes < most) continue;
    most = variant.memories.total_peak_bytes;
    row.floor_step = variant.memories.total_peak_step;
    row.floor_step_name = variant.total_peak_step;
  }
}

struct Answer {
  FitRow row;
  uint64_t floor_bytes =
      0;  // where it does not fit: proved to be needed of the memory that is short
};

Answer answer_of(const std::vector<NamedGraph>& graphs, const PlanOptions& options) {
  Answer answer;
  FitRow& row = answer.row;
  row.board = options.boards.front().name;
  const auto describe = [&row](const PlanReport& report) {
    if (!report.ram.empty()) row.ram = report.ram.front();
    row.ram_bytes = row.ram.arenas_bytes;
    add_flash(report, row);
    add_floor(report, row);
  };
  try {
    describe(plan_graphs(graphs, options).report);
  } catch (const DoesNotFitError& error) {
    describe(error.report);
    for (const Shortage& shortage : error.report.shortages) {
      row.shortages.push_back({shortage.memory, shortage.short_bytes, shortage.impossible});
    }
    answer.floor_bytes = error.report.shortages.front().floor_bytes;
  }
  return answer;
}

// An embedded image is what a board is asked about; one that has none is asked about what it has.
std::string image_of(const Board& board) {
  const auto embedded = [](const ProgramMemory& memory) { return memory.image == "embedded"; };
  const auto& memories = board.program_memories;
  return std::any_of(memories.begin(), memories.end(), embedded) ? "embedded" : "";
}

// The first of the boards' toolchains for which there is a table; none: "".
std::string measured_toolchain(const std::vector<Board>& boards) {
  for (const Board& board : boards) {
    if (const auto sizes = find_code_sizes(board.toolchain); sizes && sizes->stack) {
      return board.toolchain;
    }
  }
  return "";
}

// Answers for budgets, the largest first.
class Budgets {
 public:
  Budgets(const std::vector<NamedGraph>& graphs, const PlanOptions& options)
      : graphs_(graphs),
        options_(options),
        toolchain_(measured_toolchain(options.boards)),
        best_(planned(kMoreThanAny).row) {}

  FitRow next(uint64_t bytes) {
    FitRow row = best_;  // of a plan without a limit, or with a larger budget
    if (bytes < total_of(best_) && bytes >= floor_bytes_) {
      const Answer answer = planned(bytes);
      row = answer.row;
      if (total_of(row) < total_of(best_)) {
        best_ = row;
        best_.shortages.clear();
      }
      if (!row.fits() && row.shortages.front().impossible) floor_bytes_ = answer.floor_bytes;
    } else if (bytes < total_of(best_)) {
      row.shortages = {{kMemory, total_of(row) - bytes, true}};
    }
    row.board.clear();
    row.budget_bytes = bytes;
    return row;
  }

 private:
  static constexpr const char* kMemory = "ram";
  // A stack in a memory without end would not be counted.
  static constexpr uint64_t kMoreThanAny = uint64_t{1} << 48;

  static uint64_t total_of(const FitRow& row) { return row.ram.total_bytes().value_or(0); }

  Answer planned(uint64_t bytes) const {
    Board board;
    board.name = "budget";
    board.cpu = "any";
    board.toolchain = toolchain_;
    BoardMemory memory;
    memory.holds_bss = memory.holds_stack = true;
    memory.memory.name = kMemory;
    memory.memory.size_bytes = bytes;
    memory.memory.alignment = 16;
    board.memories.push_back(memory);
    PlanOptions options = options_;
    options.boards = {board};
    options.optimize = Optimize::kMemory;
    return answer_of(graphs_, options);
  }

  const std::vector<NamedGraph>& graphs_;
  const PlanOptions& options_;
  std::string toolchain_;
  FitRow best_;
  uint64_t floor_bytes_ = 0;  // proved: no smaller budget does
};

}  // namespace

std::vector<FitRow> fit(const std::vector<NamedGraph>& graphs, const PlanOptions& options) {
  std::vector<FitRow> rows;
  for (const Board& board : options.boards) {
    PlanOptions alone = options;
    alone.boards = {board};
    alone.image = image_of(board);
    rows.push_back(answer_of(graphs, alone).row);
  }
  Budgets budgets(graphs, options);
  for (uint64_t bytes = kLargestBudget; bytes >= kLeastBudget; bytes /= 2) {
    rows.push_back(budgets.next(bytes));
  }
  return rows;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

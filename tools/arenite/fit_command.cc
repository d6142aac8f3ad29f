// `arenite fit`: on which boards, and in how little memory, a model fits.
#include "planner/fit/fit.h"

#include <algorithm>

#include "planner/board/code_sizes.h"
#include "planner/memory/report.h"
#include "planner/report/ram_text.h"
#include "support/output.h"
#include "support/progress.h"
#include "tools/arenite/commands.h"
#include "tools/arenite/common_options.h"
#include "tools/arenite/import_models.h"
#include "tools/arenite/json.h"

namespace arenite::tools {
namespace {

struct FitCommand {
  ModelArguments models;
  std::vector<std::string> boards;
  std::string assume_code;
  bool json = false;
};

// "1M", "512K"
std::string budget_text(uint64_t bytes) {
  const bool mebibytes = bytes % (uint64_t{1} << 20) == 0;
  return std::to_string(mebibytes ? bytes >> 20 : bytes >> 10) + (mebibytes ? "M" : "K");
}

// "fits", "code not counted", or "short 4640 of m0, 2552 of flash"; with "proved" if no plan could
// fit.
std::string answer_text(const planner::FitRow& row) {
  if (row.fits()) return "fits";
  if (row.shortages.empty()) return "code not counted";
  std::string text;
  bool proved = false;
  for (const planner::FitRow::Short& one : row.shortages) {
    text += (text.empty() ? "short " : ", ") + std::to_string(one.bytes) + " of " + one.memory;
    proved |= one.impossible;
  }
  return text + (proved ? ", proved" : "");
}

// The first of the step's nodes, the end of its name where that is long.
std::string step_text(const std::string& step) {
  constexpr size_t kLongest = 56;
  std::string text = step.substr(0, step.find('+'));
  if (text.size() != step.size()) text += ")";
  const size_t name = text.find(", ");
  if (text.size() <= kLongest || name == std::string::npos) return text;
  const std::string head = text.substr(0, name + 2) + "...";
  return head + text.substr(text.size() - (kLongest - head.size()));
}

using Cells = std::vector<std::string>;

// All cells but the last are padded to their column: numbers on the left.
void print_table(const std::vector<Cells>& rows) {
  Cells::size_type columns = rows.front().size();
  std::vector<size_t> widths(columns, 0);
  for (const Cells& row : rows) {
    for (size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const Cells& row : rows) {
    std::string line;
    for (size_t i = 0; i < columns; ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      const bool number = i >= 2 && i + 1 < columns;
      line += (i == 0 ? "" : "  ") + (number ? padding + row[i] : row[i]);
      if (!number && i + 1 < columns) line += padding;
    }
    print_text(line + "\n");
  }
}

void print_rows(const std::vector<planner::FitRow>& rows, bool budgets) {
  std::vector<Cells> table = {{budgets ? "budget" : "board", "", "arenas", "Instance", ".bss",
                               "stack", "RAM", budgets ? "program" : "flash", "most lives at"}};
  for (const planner::FitRow& row : rows) {
    if (row.budget_bytes.has_value() != budgets) continue;
    table.push_back({budgets ? budget_text(*row.budget_bytes) : row.board, answer_text(row),
                     std::to_string(row.ram_bytes), std::to_string(row.ram.instance_bytes),
                     std::to_string(row.ram.bss_bytes), planner::stack_text(row.ram, "-"),
                     row.ram.total_bytes() ? std::to_string(*row.ram.total_bytes()) : "-",
                     (row.flash_has_code ? "~" : "") + std::to_string(row.flash_bytes),
                     step_text(row.floor_step_name)});
  }
  if (table.size() > 1) print_table(table);
}

// Without names, all that are known and whose code somebody has measured: one whose file is wrong
// is left out and told.
std::vector<planner::Board> boards_of(const std::vector<std::string>& names, bool assumes_code) {
  std::vector<planner::Board> boards;
  std::string unmeasured;
  for (const std::string& name : names) boards.push_back(planner::find_board(name));
  if (!names.empty()) return boards;
  for (const std::string& name : planner::board_names()) {
    try {
      planner::Board board = planner::find_board(name);
      if (assumes_code || board.toolchain.empty() || planner::find_code_sizes(board.toolchain)) {
        boards.push_back(std::move(board));
      } else {
        unmeasured += (unmeasured.empty() ? "" : ", ") + name;
      }
    } catch (const InputError& error) {
      print_error("note", "board " + name + " is left out: " + error.what());
    }
  }
  if (!unmeasured.empty()) {
    print_error("note", "left out, as no image build has measured their toolchains: " + unmeasured +
                            " (--board NAME asks about one)");
  }
  return boards;
}

std::vector<planner::FitRow> rows_of(const FitCommand& command) {
  planner::PlanOptions options;
  options.boards = boards_of(command.boards, !command.assume_code.empty());
  Progress progress("fit");
  options.progress = progress.hook();
  options.assumed_code_bytes = assumed_code_bytes(command.assume_code);
  return planner::fit(import_models(command.models, options.progress), options);
}

// Fails if a board named by the user does not fit, or if the code of any board is not known.
int status_of(const FitCommand& command, const std::vector<planner::FitRow>& rows) {
  const bool all = std::all_of(rows.begin(), rows.end(), [&](const planner::FitRow& row) {
    if (row.budget_bytes.has_value() || row.fits()) return true;
    return command.boards.empty() && row.code_is_known;
  });
  return all ? kDone : kFailed;
}

int run_fit(const FitCommand& command) {
  const std::vector<planner::FitRow> rows = rows_of(command);
  if (command.json) {
    print_text(to_json(rows) + "\n");
    return status_of(command, rows);
  }
  print_rows(rows, false);
  print_text("\n");
  print_rows(rows, true);
  const auto has_code = [](const planner::FitRow& row) { return row.flash_has_code; };
  print(
      "\nBytes. Arenas are what the plan takes, or would take where it does not fit; RAM is all of "
      "it, with the Instance, .bss and the deepest stack below a model's calls; proved: no plan of "
      "these steps fits.\n");
  if (std::any_of(rows.begin(), rows.end(), has_code)) {
    print("~ of flash: with code, an estimate. ");
  }
  if (std::any_of(rows.begin(), rows.end(),
                  [](const auto& row) { return row.ram.stack_is_assumed; })) {
    print("~ of a stack: assumed, as no image build has measured the toolchain. ");
  }
  if (!std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.code_is_known; })) {
    print("Code not counted: no image build has measured the toolchain; --assume-code BYTES. ");
  }
  print("Budgets are of one memory on a CPU with one thread.\n");
  return status_of(command, rows);
}

std::function<int()> declare_fit(Options& options) {
  const auto fit = std::make_shared<FitCommand>();
  options.add("MODEL", fit->models.paths, "ONNX or TensorFlow Lite models; each becomes a method")
      .required();
  options
      .add("--board", fit->boards,
           "Board to ask about, by name or file (default: all known that are measured)")
      .value_name("NAME|FILE");
  add_model_options(options, fit->models.options);
  add_state_options(options, fit->models.options);
  add_assume_code(options, fit->assume_code);
  add_json(options, fit->json);
  return [fit] { return run_fit(*fit); };
}

}  // namespace

const Command kFitCommand = {
    .name = "fit",
    .summary = "Tell on which boards, and in how little memory, models fit",
    .examples =
        "arenite fit model.onnx\n"
        "arenite fit model.onnx --board mps3-an547 --board ./my-board.json\n"
        "arenite fit model.onnx --shape image=1,3,96,96 --json",
    .declare = declare_fit,
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

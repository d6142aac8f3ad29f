// Takes what a run costs beside its steps from a method of one step and a method of two such steps.
#include "tools/arenite/case_costs.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include "support/errors.h"
#include "support/printable.h"
#include "support/progress.h"
#include "tools/calibrate/step_samples.h"
#include "tools/compare/made_up_inputs.h"
#include "tools/run/runner.h"

namespace arenite::tools {
namespace {

constexpr char kFirstWord[] = "arenite-cases";
constexpr char kInstructions[] = "instructions", kNanoseconds[] = "nanoseconds";
// Methods that tests/boards/operator_cases.cc writes.
constexpr char kOneStep[] = "one_step", kTwoSteps[] = "two_steps";
constexpr double kPicosecondsInNanosecond = 1e3;

// In the emulator: so many that their inputs fit the board's memory beside the program.
constexpr size_t kCasesOfASession = 32;

TargetTask task_of(const ProgramFile& cases, uint32_t method) {
  TargetTask task;
  task.method = method;
  task.inputs.tensors = make_up_inputs(cases, method);
  for (HostTensor& tensor : task.inputs.tensors) tensor.dims.insert(tensor.dims.begin(), 1);
  task.inputs.stacked = true;
  task.inputs.runs = 1;
  return task;
}

[[noreturn]] void refuse(const std::string& file, size_t line, const std::string& expected,
                         const std::string& found) {
  throw InputError(file + ", line " + std::to_string(line) + ": expected " + expected + ", found " +
                   quote(found));
}

uint64_t clock_of(const CaseClocks& clocks, const std::string& method) {
  const auto found = clocks.by_method.find(method);
  if (found == clocks.by_method.end()) {
    throw InputError("the cases' clocks: expected one of " + quote(method) +
                     ", which tells what a run takes beside its steps, found none");
  }
  return found->second;
}

}  // namespace

CaseClocks clock_cases(const planner::Board& board, const ProgramFile& cases,
                       const TargetOptions& options) {
  const auto methods = static_cast<uint32_t>(cases.program().methods().size());
  CaseClocks clocks;
  clocks.in_emulator = options.place.in_emulator() && board.emulator->clock_counts_instructions;
  // A session on a line begins with the whole program, which takes a serial port minutes.
  const size_t cases_of_a_session = options.place.in_emulator() ? kCasesOfASession : methods;
  Progress progress("cases", methods);
  std::string problem;
  for (uint32_t next = 0; next < methods;) {
    std::vector<TargetTask> tasks;
    const auto end = static_cast<uint32_t>(std::min<size_t>(methods, next + cases_of_a_session));
    for (uint32_t m = next; m < end; ++m) tasks.push_back(task_of(cases, m));
    TargetSession session(board, cases, tasks, options);
    for (size_t t = 0; t < tasks.size() && problem.empty(); ++t) {
      progress.advance();
      try {
        const TargetTaskResult done = session.run(t);
        clocks.by_method[cases.method_name(next)] = done.clock_instructions;
      } catch (const RunError& error) {
        problem = error.what();
      }
      ++next;
    }
    if (next == end && problem.empty()) static_cast<void>(session.finish());
    if (clocks.by_method.empty()) throw RunError(problem);
    problem.clear();
  }
  return clocks;
}

std::string to_log(const CaseClocks& clocks, const std::string& board) {
  std::string text = std::string(kFirstWord) + " " + board + " " +
                     (clocks.in_emulator ? kInstructions : kNanoseconds) + "\n";
  for (const auto& [method, clock] : clocks.by_method) {
    text += method + " " + std::to_string(clock) + "\n";
  }
  return text;
}

CaseClocks read_log(const std::string& text, const std::string& file, const std::string& board) {
  CaseClocks clocks;
  std::istringstream lines(text);
  size_t at = 0;
  for (std::string line; std::getline(lines, line);) {
    ++at;
    std::istringstream words(line);
    std::string first, second, third, more;
    words >> first >> second >> third >> more;
    if (at == 1) {
      clocks.in_emulator = third == kInstructions;
      const bool known = clocks.in_emulator || third == kNanoseconds;
      if (first != kFirstWord || !known || !more.empty()) {
        refuse(file, at, std::string(kFirstWord) + " BOARD instructions|nanoseconds", line);
      }
      if (second != board) refuse(file, at, "clocks of board " + quote(board), second);
      continue;
    }
    uint64_t clock = 0;
    const auto [rest, error] = std::from_chars(second.data(), second.data() + second.size(), clock);
    const bool whole = error == std::errc() && rest == second.data() + second.size();
    if (first.empty() || !whole || !third.empty()) refuse(file, at, "METHOD CLOCK", line);
    if (!clocks.by_method.emplace(first, clock).second) {
      refuse(file, at, "each method once", first);
    }
  }
  if (at == 0) refuse(file, 1, kFirstWord, "");
  return clocks;
}

std::vector<CostSample> case_samples(const planner::Board& board, const ProgramFile& cases,
                                     const CaseClocks& clocks, double instruction_ps) {
  const double unit_ps = clocks.in_emulator ? instruction_ps : kPicosecondsInNanosecond;
  const double beside = 2 * static_cast<double>(clock_of(clocks, kOneStep)) -
                        static_cast<double>(clock_of(clocks, kTwoSteps));
  std::vector<CostSample> samples;
  for (uint32_t m = 0; m < cases.program().methods().size(); ++m) {
    const auto clock = clocks.by_method.find(cases.method_name(m));
    if (clock == clocks.by_method.end()) continue;
    const uint32_t variant = find_target_variant(cases, m, board);
    std::vector<StepRow> rows = step_table(cases, m, variant);
    if (rows.size() != 1) continue;
    const double cost = std::max(1.0, static_cast<double>(clock->second) - beside);
    const CostTable table = make_cost_table(std::move(rows), {cost}, 0);
    for (CostSample& sample : step_samples(cases, m, variant, table, unit_ps, std::nullopt)) {
      samples.push_back(std::move(sample));
    }
  }
  if (samples.empty()) {
    throw InputError("the cases' clocks: expected clocks of methods of one step, found none");
  }
  return samples;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

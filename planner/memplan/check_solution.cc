// What `arenite memplan --check` does: holds anyone's solution against its problem.
#include "planner/memplan/check_solution.h"

#include <algorithm>
#include <chrono>

#include "planner/memory/verify.h"
#include "planner/memplan/memplan_input.h"

namespace arenite::memory {

namespace {

Fault fault_of(const Finding& finding, const CsvSolution& read, const Problem& problem) {
  Fault fault;
  fault.kind = name_of(finding.violation);
  fault.message = finding.message;
  fault.buffer = finding.buffer;
  fault.id = problem.buffers.at(finding.buffer).name;
  fault.row = read.rows.at(finding.buffer);
  fault.other = finding.other;
  if (finding.other) fault.other_row = read.rows.at(*finding.other);
  if (finding.violation == Violation::kOverlap) fault.step = finding.step;
  return fault;
}

// A report of a plan that is none claims nothing, and no bytes are in common on purpose.
void claim_nothing(MemoryReport& report) {
  report.optimal = false;
  report.slow_traffic_bound_bytes = 0;
  report.live_union_bytes = 0;
  for (const LiveAtPeak& live : report.live) report.live_union_bytes += live.size_bytes;
}

}  // namespace

MemplanResult check_solution(const MemplanOptions& options, const std::string& solution_path) {
  check_options(options);
  const bool one_file = options.problem_path.empty() || options.problem_path == solution_path;
  MemplanOptions files = options;
  if (one_file) files.problem_path = solution_path;
  const std::string text = read_csv_text(files.problem_path);
  const CsvProblem input =
      read_memplan_problem(files, text, one_file ? Placements::kTold : Placements::kFixed);
  const CsvSolution read =
      read_solution(one_file ? text : read_csv_text(solution_path), solution_path, input);

  const auto begin = std::chrono::steady_clock::now();
  MemplanResult result;
  describe_problem(files, input, result);
  result.verdict = Verdict{solution_path, false, read.faults, 0, read.notes, false};
  Verdict& verdict = *result.verdict;
  const std::vector<Placement>& placements = read.solution.placements;
  verdict.drawable = std::none_of(placements.begin(), placements.end(),
                                  [](const Placement& at) { return at.memory == kNoMemory; });
  if (verdict.drawable) {
    if (const auto finding = verify(input.problem, read.solution)) {
      verdict.faults.push_back(fault_of(*finding, read, input.problem));
    }
    result.report = make_report(input.problem, read.solution);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  result.seconds = took.count();
  verdict.valid = verdict.faults.empty();
  verdict.fault_count = verdict.faults.size();
  verdict.faults.resize(std::min(verdict.fault_count, Verdict::kFaultsMax));
  if (!verdict.valid) {
    claim_nothing(result.report);
    result.lower_bound = lower_bound(input.problem);
    return result;
  }
  result.height = result.report.peak_sum_bytes;
  result.lower_bound = result.report.lower_bound_bytes;
  result.optimal = result.report.optimal;
  return result;
}

std::string message(const Verdict& verdict, const Fault& fault) {
  std::string text = verdict.solution_name;
  if (fault.row != 0) text += ", row " + std::to_string(fault.row);
  text += ": " + fault.message;
  if (fault.other_row != 0) text += " (row " + std::to_string(fault.other_row) + ")";
  return text;
}

std::string verdict_text(const MemplanResult& result) {
  constexpr std::size_t kListedMax = 16;
  const Verdict& verdict = *result.verdict;
  if (verdict.valid) {
    const std::size_t count = result.report.buffers.size();
    return "valid: " + verdict.solution_name + " places " + std::to_string(count) +
           (count == 1 ? " buffer" : " buffers") + ", " + figures_text(result) + "\n";
  }
  std::string text;
  const std::size_t listed = std::min(verdict.faults.size(), kListedMax);
  for (std::size_t i = 0; i < listed; ++i) {
    text += "invalid: " + message(verdict, verdict.faults[i]) + "\n";
  }
  if (verdict.fault_count > listed) {
    text += "and " + std::to_string(verdict.fault_count - listed) + " more\n";
  }
  return text;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

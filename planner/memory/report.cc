// What a finished plan uses: peaks by memory, and the worst step over all memories together.
#include "planner/memory/report.h"

#include <algorithm>
#include <cstdio>

#include "planner/memory/bounds.h"

namespace arenite::memory {
namespace {

std::string hex(uint64_t address) {
  char text[19] = {};
  std::snprintf(text, sizeof(text), "0x%08llx", static_cast<unsigned long long>(address));
  return text;
}

struct Row {
  std::vector<std::string> cells;
};

// The first column is padded on the right, the others (numbers) on the left.
std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().cells.size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], row.cells[i].size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string padding(widths[i] - row.cells[i].size(), ' ');
      text += i == 0 ? row.cells[i] + padding : "  " + padding + row.cells[i];
    }
    text += '\n';
  }
  return text;
}

}  // namespace

MemoryReport make_report(const Problem& problem, const Solution& solution) {
  MemoryReport report;
  for (uint32_t m = 0; m < problem.memories.size(); ++m) {
    const Memory& memory = problem.memories[m];
    const LiveSpan live = largest(live_spans_in(problem, solution, m));
    report.memories.push_back(
        {memory.name, memory.base, memory.size_bytes, 0, live.bytes, live.first});
  }
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Placement& placement = solution.placements.at(i);
    uint64_t& peak = report.memories.at(placement.memory).peak_bytes;
    peak = std::max(peak, placement.offset + problem.buffers[i].size_bytes);
  }
  for (const MemoryUse& use : report.memories) report.peak_sum_bytes += use.peak_bytes;
  const LiveSpan worst = largest(live_spans(problem));
  report.total_peak_bytes = worst.bytes;
  report.total_peak_step = worst.first;
  return report;
}

std::string to_text(const MemoryReport& report) {
  std::vector<Row> rows = {{{"memory", "base", "size", "peak", "free", "live at most", "at step"}}};
  for (const MemoryUse& use : report.memories) {
    const bool bounded = use.size_bytes != kUnbounded;
    rows.push_back({{use.name, hex(use.base), bounded ? std::to_string(use.size_bytes) : "no limit",
                     std::to_string(use.peak_bytes),
                     bounded ? std::to_string(use.size_bytes - use.peak_bytes) : "-",
                     std::to_string(use.lower_bound_bytes), std::to_string(use.peak_step)}});
  }
  return table(rows) + "all memories together: " + std::to_string(report.total_peak_bytes) +
         " bytes live at step " + std::to_string(report.total_peak_step) + "; the peaks sum to " +
         std::to_string(report.peak_sum_bytes) + "\n";
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

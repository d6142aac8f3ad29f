// What a finished plan uses: peaks by memory, the worst step over all memories together, and where
// everything lies.
#include "planner/memory/report.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "planner/memory/bounds.h"
#include "planner/memory/traffic.h"

namespace arenite::memory {
namespace {

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

// What holds data at a step in any memory, largest first.
std::vector<LiveAtPeak> live_at(const Problem& problem, const Solution& solution, uint32_t step) {
  std::vector<LiveAtPeak> live;
  for (uint32_t m = 0; m < problem.memories.size(); ++m) {
    for (const LiveBuffer& buffer : live_buffers_in(problem, solution, m, step)) {
      if (buffer.size_bytes != 0) live.push_back({buffer.name, m, buffer.size_bytes});
    }
  }
  std::stable_sort(live.begin(), live.end(), [](const LiveAtPeak& a, const LiveAtPeak& b) {
    return a.size_bytes > b.size_bytes;
  });
  return live;
}

void add_buffers(const Problem& problem, const Solution& solution, MemoryReport& report) {
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    const Placement& placement = solution.placements[i];
    report.buffers.push_back({buffer.name, placement.memory, placement.offset, buffer.size_bytes,
                              buffer.lifetime, buffer.relative.has_value()});
    const uint64_t traffic = buffer.size_bytes * (buffer.reads + buffer.writes);
    report.total_traffic_bytes += traffic;
    if (placement.memory != 0) report.slow_traffic_bytes += traffic;
  }
}

// Enough to see what fills the peak; the rest of a long list is summed up.
std::string live_text(const MemoryReport& report) {
  constexpr std::size_t kListedMax = 16;
  std::string text;
  uint64_t rest_bytes = 0;
  for (std::size_t i = 0; i < report.live.size(); ++i) {
    const LiveAtPeak& live = report.live[i];
    if (i >= kListedMax) {
      rest_bytes += live.size_bytes;
    } else {
      text += "  live there: " + live.name + " in " + report.memories[live.memory].name + ", " +
              bytes_text(live.size_bytes) + "\n";
    }
  }
  if (report.live.size() > kListedMax) {
    text += "  and " + std::to_string(report.live.size() - kListedMax) + " more with " +
            bytes_text(rest_bytes) + "\n";
  }
  return text;
}

// What the plan is judged by, and what is proved of it. A gap to the sum of several peaks would say
// nothing.
std::string bound_text(const MemoryReport& report) {
  const auto used = std::count_if(report.memories.begin(), report.memories.end(),
                                  [](const MemoryUse& use) { return use.peak_bytes != 0; });
  std::string text;
  if (report.memories.size() > 1) text += traffic_text(report) + "\n";
  if (used > 1) return text;
  return text + "lower bound " + std::to_string(report.lower_bound_bytes) + ", gap " +
         gap_text(report) + ", " + (report.optimal ? "optimal" : "not proved optimal") + "\n";
}

}  // namespace

std::string traffic_text(const MemoryReport& report) {
  const bool least = report.slow_traffic_bytes == report.slow_traffic_bound_bytes;
  return "traffic: " + std::to_string(report.slow_traffic_bytes) + " of " +
         std::to_string(report.total_traffic_bytes) + " bytes outside " +
         report.memories.front().name + ", lower bound " +
         std::to_string(report.slow_traffic_bound_bytes) +
         (least ? ", proved least" : ", not proved least");
}

std::string address_text(uint64_t address) {
  char text[19] = {};
  std::snprintf(text, sizeof(text), "0x%08llx", static_cast<unsigned long long>(address));
  return text;
}

std::string bytes_text(uint64_t bytes) {
  std::string text = std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  if (bytes < 1024) return text;
  constexpr std::array<const char*, 6> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double number = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; number >= 1024 && unit + 1 < kUnits.size(); ++unit) number /= 1024;
  char rounded[32] = {};
  std::snprintf(rounded, sizeof(rounded), " (%.1f %s)", number, kUnits[unit]);
  return text + rounded;
}

std::string gap_text(const MemoryReport& report) {
  const double above = report.lower_bound_bytes == 0
                           ? 0
                           : 100 * (static_cast<double>(report.peak_sum_bytes) /
                                        static_cast<double>(report.lower_bound_bytes) -
                                    1);
  char text[32] = {};
  std::snprintf(text, sizeof(text), "%.2f %%", above);
  return text;
}

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
  report.lower_bound_bytes = std::max(lower_bound(problem), solution.lower_bound);
  report.live = live_at(problem, solution, worst.first);
  add_buffers(problem, solution, report);
  report.slow_traffic_bound_bytes = slow_traffic_bound(problem, report.slow_traffic_bytes);
  report.optimal =
      report.peak_sum_bytes == report.lower_bound_bytes && report.slow_traffic_bytes == 0;
  return report;
}

std::string to_text(const MemoryReport& report) {
  std::vector<Row> rows = {{{"memory", "base", "size", "peak", "free", "live at most", "at step"}}};
  for (const MemoryUse& use : report.memories) {
    const bool bounded = use.size_bytes != kUnbounded;
    rows.push_back(
        {{use.name, address_text(use.base), bounded ? std::to_string(use.size_bytes) : "no limit",
          std::to_string(use.peak_bytes),
          bounded ? std::to_string(use.size_bytes - use.peak_bytes) : "-",
          std::to_string(use.lower_bound_bytes), std::to_string(use.peak_step)}});
  }
  return table(rows) + "all memories together: " + std::to_string(report.total_peak_bytes) +
         " bytes live at step " + std::to_string(report.total_peak_step) + "; the peaks sum to " +
         std::to_string(report.peak_sum_bytes) + "\n" + bound_text(report) + live_text(report);
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

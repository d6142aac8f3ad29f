// Sums live bytes of a finished plan step by step, and writes the results as tables.
#include "planner/memory/report.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <tuple>

#include "planner/memory/assign/traffic_bound.h"
#include "planner/memory/problem/live_bytes.h"
#include "planner/memory/problem/uses.h"
#include "support/printable.h"

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

// The buffers that hold data at a step in any memory, largest first.
std::vector<LiveBuffer> live_at(const CheckedProblem& problem, const Solution& solution,
                                uint32_t step) {
  std::vector<LiveBuffer> live;
  for (uint32_t m = 0; m < problem.memories().size(); ++m) {
    for (LiveBuffer& buffer : live_buffers_in(problem, solution, m, step)) {
      if (buffer.size_bytes != 0) live.push_back(std::move(buffer));
    }
  }
  std::stable_sort(live.begin(), live.end(), [](const LiveBuffer& a, const LiveBuffer& b) {
    return a.size_bytes > b.size_bytes;
  });
  return live;
}

// Bytes that buffers have in use at a step, as placed, each byte once.
uint64_t union_bytes(const CheckedProblem& problem, const Solution& solution,
                     const std::vector<LiveBuffer>& live, uint32_t step) {
  struct Range {
    uint32_t memory;
    uint64_t begin, end;
    bool operator<(const Range& other) const {
      return std::tie(memory, begin) < std::tie(other.memory, other.begin);
    }
  };
  std::vector<Range> ranges;
  for (const LiveBuffer& buffer : live) {
    const Placement& at = solution.placements[buffer.buffer];
    const ByteRange used = in_use_at(problem.buffers()[buffer.buffer], step).value_or(ByteRange{});
    ranges.push_back({at.memory, at.offset + used.begin, at.offset + used.end});
  }
  std::sort(ranges.begin(), ranges.end());
  uint64_t bytes = 0;
  Range last{0, 0, 0};
  for (const Range& range : ranges) {
    const uint64_t covered = range.memory == last.memory ? last.end : 0;
    bytes += range.end - std::clamp(covered, range.begin, range.end);
    last = {range.memory, range.begin, std::max(covered, range.end)};
  }
  return bytes;
}

void add_live(const CheckedProblem& problem, const Solution& solution, MemoryReport& report) {
  const std::vector<LiveBuffer> live = live_at(problem, solution, report.total_peak_step);
  std::map<uint32_t, std::size_t> place;  // of a buffer in the list
  for (const LiveBuffer& buffer : live) {
    if (!report.common.empty()) place.emplace(buffer.buffer, report.live.size());
    report.live.push_back(
        {buffer.name, solution.placements[buffer.buffer].memory, buffer.size_bytes, 0, {}});
  }
  for (const CommonBytes& common : report.common) {
    const auto owner = place.find(common.owner), guest = place.find(common.guest);
    if (owner == place.end() || guest == place.end()) continue;
    const bool guest_is_later = owner->second < guest->second;
    LiveAtPeak& later = report.live[guest_is_later ? guest->second : owner->second];
    later.common_bytes = std::min(later.size_bytes, later.common_bytes + common.bytes);
    later.common_with.push_back(guest_is_later ? common.owner : common.guest);
  }
  report.live_union_bytes = union_bytes(problem, solution, live, report.total_peak_step);
}

void add_buffers(const CheckedProblem& problem, const Solution& solution, MemoryReport& report) {
  for (std::size_t i = 0; i < problem.buffers().size(); ++i) {
    const Buffer& buffer = problem.buffers()[i];
    const Placement& placement = solution.placements[i];
    report.buffers.push_back({buffer.name, placement.memory, placement.offset, buffer.size_bytes,
                              buffer.lifetime, uses_of(buffer), buffer.reads, buffer.writes,
                              buffer.fixed.has_value(), buffer.relative});
    MemoryUse& use = report.memories[placement.memory];
    use.read_bytes += buffer.size_bytes * buffer.reads;
    use.written_bytes += buffer.size_bytes * buffer.writes;
    const uint64_t traffic = buffer.size_bytes * (buffer.reads + buffer.writes);
    report.total_traffic_bytes += traffic;
    if (placement.memory != 0) report.slow_traffic_bytes += traffic;
  }
}

// ", of which 4096 in common with 'x'"; nothing where it has none in common.
std::string common_text(const MemoryReport& report, const LiveAtPeak& live) {
  if (live.common_with.empty()) return "";
  std::string text = ", of which " + std::to_string(live.common_bytes) + " in common with ";
  text += printable(report.buffers[live.common_with.front()].name);
  if (live.common_with.size() == 1) return text;
  return text + " and " + std::to_string(live.common_with.size() - 1) + " more";
}

// Enough to see what fills the peak; the rest of a long list is summed up.
std::string live_text(const MemoryReport& report) {
  constexpr std::size_t kListedMax = 16;
  std::string text;
  uint64_t sum_bytes = 0, rest_bytes = 0;
  for (std::size_t i = 0; i < report.live.size(); ++i) {
    const LiveAtPeak& live = report.live[i];
    sum_bytes += live.size_bytes;
    if (i >= kListedMax) {
      rest_bytes += live.size_bytes;
    } else {
      text += "  live there: " + printable(live.name) + " in " + report.memories[live.memory].name +
              ", " + bytes_text(live.size_bytes) + common_text(report, live) + "\n";
    }
  }
  if (report.live.size() > kListedMax) {
    text += "  and " + std::to_string(report.live.size() - kListedMax) + " more with " +
            bytes_text(rest_bytes) + "\n";
  }
  if (sum_bytes > report.live_union_bytes) {
    text += "  the sizes of what lives there sum to " + std::to_string(sum_bytes) + ", " +
            std::to_string(sum_bytes - report.live_union_bytes) +
            " of them in common on purpose: " + bytes_text(report.live_union_bytes) +
            " hold data\n";
  }
  return text;
}

// The free bytes, or after a minus sign the missing ones.
std::string free_text(uint64_t size_bytes, uint64_t used_bytes) {
  if (size_bytes == kUnbounded) return "-";
  if (used_bytes > size_bytes) return "-" + std::to_string(used_bytes - size_bytes);
  return std::to_string(size_bytes - used_bytes);
}

}  // namespace

std::string traffic_text(const MemoryReport& report) {
  const uint64_t above = report.slow_traffic_bytes - report.slow_traffic_bound_bytes;
  return "traffic: " + std::to_string(report.slow_traffic_bytes) + " of " +
         std::to_string(report.total_traffic_bytes) + " bytes outside " +
         report.memories.front().name + ", lower bound " +
         std::to_string(report.slow_traffic_bound_bytes) +
         (above == 0 ? ", proved least"
                     : ", not proved least, " + bytes_counted(above) + " above it");
}

std::string percent_above(uint64_t bound, uint64_t bytes) {
  const double above =
      bound == 0 ? 0 : 100 * (static_cast<double>(bytes) / static_cast<double>(bound) - 1);
  char text[32] = {};
  std::snprintf(text, sizeof(text), "%.2f %%", above);
  return text;
}

std::string packings_text(const MemoryReport& report) {
  std::string text;
  for (const MemoryUse& use : report.memories) {
    if (use.least()) continue;
    text += "what lies in " + use.name + " takes " + bytes_counted(use.peak_bytes) +
            ", lower bound " + std::to_string(use.lower_bound_bytes) + ", not proved least, " +
            bytes_counted(use.peak_bytes - use.lower_bound_bytes) + " above it\n";
  }
  return text.empty() ? "what lies in each memory is proved to take no less there\n" : text;
}

std::string address_text(uint64_t address) {
  char text[19] = {};
  std::snprintf(text, sizeof(text), "0x%08llx", static_cast<unsigned long long>(address));
  return text;
}

std::string bytes_text(uint64_t bytes) {
  std::string text = bytes_counted(bytes);
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
  return percent_above(report.lower_bound_bytes, report.peak_sum_bytes);
}

bool PlacedBuffer::has_gaps() const {
  if (size_bytes == 0) return false;
  return uses.size() != 1 || uses[0].steps.first != lifetime.first ||
         uses[0].steps.last != lifetime.last ||
         uses[0].bytes.end - uses[0].bytes.begin != size_bytes;
}

MemoryReport make_report(const CheckedProblem& problem, const Solution& solution,
                         const Watch* watch) {
  MemoryReport report;
  for (uint32_t m = 0; m < problem.memories().size(); ++m) {
    const Memory& memory = problem.memories()[m];
    MemoryUse use;
    use.name = memory.name;
    use.base = memory.base;
    use.size_bytes = memory.size_bytes;
    use.live = live_spans_in(problem, solution, m);
    const LiveSpan most = largest(use.live);
    use.lower_bound_bytes = most.bytes;
    if (m < solution.lower_bounds.size()) {
      use.lower_bound_bytes = std::max(most.bytes, solution.lower_bounds[m]);
    }
    use.peak_step = most.first;
    use.read_cost = memory.read_cost;
    use.write_cost = memory.write_cost;
    report.memories.push_back(std::move(use));
  }
  for (std::size_t i = 0; i < problem.buffers().size(); ++i) {
    const Placement& placement = solution.placements.at(i);
    uint64_t& peak = report.memories.at(placement.memory).peak_bytes;
    peak = std::max(peak, placement.offset + problem.buffers()[i].size_bytes);
  }
  for (const MemoryUse& use : report.memories) report.peak_sum_bytes += use.peak_bytes;
  const LiveSpan worst = largest(live_spans(problem));
  report.total_peak_bytes = worst.bytes;
  report.total_peak_step = worst.first;
  report.common = common_bytes(problem, solution);
  add_live(problem, solution, report);
  add_buffers(problem, solution, report);
  report.slow_traffic_bound_bytes = slow_traffic_bound(problem, report.slow_traffic_bytes, watch);
  raise_lower_bound(report, lower_bound(problem, solution));
  return report;
}

void raise_lower_bound(MemoryReport& report, uint64_t bytes) {
  report.lower_bound_bytes = std::max(report.lower_bound_bytes, bytes);
  std::vector<MemoryUse>& memories = report.memories;
  if (memories.size() == 1) memories.front().lower_bound_bytes = report.lower_bound_bytes;
  const bool lowest = report.peak_sum_bytes == report.lower_bound_bytes ||
                      std::all_of(memories.begin(), memories.end(),
                                  [](const MemoryUse& use) { return use.least(); });
  report.optimal = lowest && report.slow_traffic_bytes == report.slow_traffic_bound_bytes;
}

uint64_t most_live(const MemoryUse& use) { return largest(use.live).bytes; }

std::string headline(const MemoryReport& report) {
  const auto used = std::count_if(report.memories.begin(), report.memories.end(),
                                  [](const MemoryUse& use) { return use.peak_bytes != 0; });
  std::string text;
  if (report.memories.size() > 1) text += traffic_text(report) + "\n";
  if (used > 1) return text + packings_text(report);
  uint64_t bound = report.lower_bound_bytes;
  const auto only = std::find_if(report.memories.begin(), report.memories.end(),
                                 [](const MemoryUse& use) { return use.peak_bytes != 0; });
  if (report.memories.size() > 1 && only != report.memories.end()) {
    // All lies in one memory, where it may be proved to take more than lives at one step.
    bound = std::max(bound, only->lower_bound_bytes);
    text += only->name + ": ";
  }
  return text + "lower bound " + std::to_string(bound) + ", gap " +
         percent_above(bound, report.peak_sum_bytes) + ", " +
         (report.optimal ? "optimal" : "not proved optimal") + "\n";
}

std::string to_text(const MemoryReport& report) { return headline(report) + table_text(report); }

std::string table_text(const MemoryReport& report, std::span<const OtherMemory> others) {
  std::vector<Row> rows = {{{"memory", "base", "size", "peak", "free", "live at most", "at step"}}};
  for (const MemoryUse& use : report.memories) {
    rows.push_back({{use.name, address_text(use.base),
                     use.limited() ? std::to_string(use.size_bytes) : "no limit",
                     std::to_string(use.peak_bytes), free_text(use.size_bytes, use.peak_bytes),
                     std::to_string(most_live(use)), std::to_string(use.peak_step)}});
  }
  for (const OtherMemory& other : others) {
    rows.push_back({{other.name, address_text(other.base), std::to_string(other.size_bytes),
                     std::to_string(other.used_bytes),
                     free_text(other.size_bytes, other.used_bytes), "-", "-"}});
  }
  return table(rows) + "all memories together: " + std::to_string(report.total_peak_bytes) +
         " bytes live at step " + std::to_string(report.total_peak_step) + "; the peaks sum to " +
         std::to_string(report.peak_sum_bytes) + "\n" + live_text(report);
}

namespace {

// The bytes from first to last of their memory in which both hold data at one step.
ByteRange used_by_both(const Buffer& a, uint64_t start_a, const Buffer& b, uint64_t start_b) {
  ByteRange both{UINT64_MAX, 0};
  const std::vector<Use> of_b = uses_of(b);
  for (const Use& x : uses_of(a)) {
    for (const Use& y : of_b) {
      if (!x.steps.meets(y.steps)) continue;
      const uint64_t begin = std::max(start_a + x.bytes.begin, start_b + y.bytes.begin);
      const uint64_t end = std::min(start_a + x.bytes.end, start_b + y.bytes.end);
      if (begin < end) both = {std::min(both.begin, begin), std::max(both.end, end)};
    }
  }
  return both;
}

}  // namespace

std::vector<CommonBytes> common_bytes(const CheckedProblem& problem, const Solution& solution) {
  std::vector<CommonBytes> found;
  const auto add = [&](uint32_t owner, uint32_t guest, CommonWhy why) {
    const Placement& a = solution.placements[owner];
    const Placement& b = solution.placements[guest];
    if (a.memory != b.memory) return;
    const ByteRange both =
        used_by_both(problem.buffers()[owner], a.offset, problem.buffers()[guest], b.offset);
    if (both.begin < both.end) {
      found.push_back({owner, guest, both.begin, both.end - both.begin, why});
    }
  };
  for (const Overlap& overlap : problem.overlaps()) {
    add(overlap.input, overlap.output, CommonWhy::kOverInput);
  }
  for (uint32_t i = 0; i < problem.anchors().size(); ++i) {
    const uint32_t root = problem.anchors()[i].root;
    if (root != i) add(root, i, CommonWhy::kPart);
  }
  return found;
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

// Times runs, and reads /proc for memory.
#include "tools/run/measure.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "support/descriptor.h"
#include "tools/run/profiler.h"
#include "tools/run/timing.h"

namespace arenite::tools {

Repeated repeat(Runner& runner, const BoundInputs& inputs, const RepeatOptions& options,
                const std::function<void()>& after_each) {
  Repeated result;
  std::vector<double> times;
  const double share = 1.0 / std::max(1u, inputs.runs);
  const uint64_t begin_ns = now_ns();
  const auto enough = [&] {
    const double seconds = static_cast<double>(now_ns() - begin_ns) / 1e9;
    return times.size() >= options.most ||
           (times.size() >= options.least && seconds >= options.seconds);
  };
  for (bool first = true; first || !enough(); first = false) {
    const uint64_t start_ns = now_ns();
    std::vector<HostTensor> outputs = run_bound(runner, inputs);
    const double ms = static_cast<double>(now_ns() - start_ns) / 1e6 * share;
    if (first) {
      result.times.first_ms = ms;
      result.outputs = std::move(outputs);
    }
    if (!first || options.first_counts) times.push_back(ms);
    if (after_each) after_each();
  }
  result.times.runs = static_cast<uint32_t>(times.size());
  result.times.min_ms = *std::min_element(times.begin(), times.end());
  result.times.p95_ms = percentile_95(times);
  result.times.median_ms = median(std::move(times));
  return result;
}

ResidentMemory resident_memory() {
  ResidentMemory memory;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    uint64_t kibibytes = 0;
    std::string key;
    std::istringstream(line) >> key >> kibibytes;
    if (key == "VmRSS:") memory.bytes = kibibytes * 1024;
    if (key == "VmHWM:") memory.peak_bytes = kibibytes * 1024;
  }
  return memory;
}

void forget_peak_memory() {
  ::malloc_trim(0);
  // proc(5): 5 resets VmHWM. If that is not possible, the peak is that of the whole process.
  const Descriptor file(::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC));
  static_cast<void>(!::write(file.number(), "5", 1));
}

std::string to_text(const RunTimes& times, const ResidentMemory& memory) {
  char parts[160] = "";
  if (times.load_parts) {
    const LoadParts& of = *times.load_parts;
    std::snprintf(parts, sizeof parts,
                  " (instance %.1f, device %.1f, self-test %.1f, upload %.1f, pipelines %.1f, "
                  "commands %.1f, other %.1f)",
                  of.instance, of.device, of.self_test, of.upload, of.pipelines, of.commands,
                  times.load_ms - of.total());
  }
  char text[416];
  constexpr double kMebibyte = 1 << 20;
  std::snprintf(
      text, sizeof text,
      "load %.3f ms%s, first run %.3f ms; of %u run%s: min %.3f, median %.3f, p95 %.3f ms\n"
      "resident memory %.1f MiB, at most %.1f MiB\n",
      times.load_ms, parts, times.first_ms, times.runs, times.runs == 1 ? "" : "s", times.min_ms,
      times.median_ms, times.p95_ms, static_cast<double>(memory.bytes) / kMebibyte,
      static_cast<double>(memory.peak_bytes) / kMebibyte);
  return text;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

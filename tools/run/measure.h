// Runs a program again and again, and tells what that takes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/run/runner.h"
#include "tools/run/vulkan_host.h"

namespace arenite::tools {

// Milliseconds.
struct RunTimes {
  double load_ms = 0;  // from a file that is open to a variant that is ready to run
  std::optional<LoadParts> load_parts;           // of it, on Vulkan
  double first_ms = 0;                           // drivers and caches wake up in it
  double min_ms = 0, median_ms = 0, p95_ms = 0;  // of those that count
  uint32_t runs = 0;                             // that count
};

struct RepeatOptions {
  bool first_counts = true;
  // Until both are reached, and never more than `most`.
  uint32_t least = 1;
  double seconds = 0;
  uint32_t most = 1;
};

// Ten runs at least, for this long; the first does not count.
inline RepeatOptions timed_for(double seconds) {
  constexpr uint32_t kLeast = 10, kMost = 100000;
  return {false, kLeast, seconds, kMost};
}

struct Repeated {
  std::vector<HostTensor> outputs;  // of the first run
  RunTimes times;                   // but for loading; of stacked inputs, a run's share
};

// Runs the inputs as often as the options say. Calls `after_each`, which may be null, after each
// run.
Repeated repeat(Runner& runner, const BoundInputs& inputs, const RepeatOptions& options,
                const std::function<void()>& after_each);

// The memory of this process: now, and its peak.
struct ResidentMemory {
  uint64_t bytes = 0, peak_bytes = 0;
};
ResidentMemory resident_memory();
// Gives back what was freed and starts to look for the peak anew, where the system lets us.
void forget_peak_memory();

// Two lines for people.
std::string to_text(const RunTimes& times, const ResidentMemory& memory);

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

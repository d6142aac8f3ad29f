// The host's threads as the runtime's parallel_for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/platform.h"
#include "tools/run/pool.h"
#include "tools/run/profiler.h"

namespace arenite::tools {

// `--threads`: how many, or kAutoThreads for "auto". Throws InputError for anything else than that
// or a whole number from 1 to kThreadsMax.
inline constexpr uint32_t kAutoThreads = 0;
inline constexpr uint32_t kThreadsMax = 1024;
uint32_t parse_threads(const std::string& text);
// The error of the text, "expected ..., found ..."; "" if there is none.
std::string threads_problem(const std::string& text);

// CPUs that this process may use, at least 1: what its affinity allows, and no more than the whole
// CPUs of its control group's quota (cgroup v1 or v2; a fraction of a CPU would be waited for in
// every loop). `root` stands in for "/" in tests.
uint32_t usable_cpus(const std::filesystem::path& root = "/");

// Threads for a variant that `threads_max` (0: it does not say) can use: `asked`, or with
// kAutoThreads as many as there are CPUs for.
uint32_t thread_count(uint32_t asked, uint32_t threads_max);

class Threads {
 public:
  // One thread means none but the caller's. `profiler`, which may be null, outlives the threads.
  Threads(uint32_t count, Profiler* profiler);
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  Pool& pool() { return pool_; }
  Profiler* profiler() const { return profiler_; }
  // The context is a pointer to this; the clock counts nanoseconds. Nothing is profiled without a
  // profiler.
  Platform platform();

 private:
  Pool pool_;
  Profiler* profiler_;
};

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

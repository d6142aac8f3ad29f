// Joins the pool to the runtime's hooks.
#include "tools/run/threads.h"

#include <optional>

#include "support/errors.h"
#include "support/parse_number.h"
#include "support/printable.h"

namespace arenite::tools {
namespace {

void parallel_for_pool(void* context, uint32_t count, uint32_t threads, PieceFunction task,
                       void* argument) {
  static_cast<Threads*>(context)->pool().run(count, threads, task, argument);
}

void profile_step(void* context, ProfileEvent event, uint32_t step) {
  static_cast<Threads*>(context)->profiler()->cpu_step(event, step);
}

void profile_piece(void* context, uint32_t thread, bool begin) {
  static_cast<Profiler*>(context)->piece(thread, begin);
}

std::optional<uint32_t> threads_in(const std::string& text) {
  if (text == "auto") return kAutoThreads;
  const auto count = parse_number<uint32_t>(text);
  return count && *count != 0 && *count <= kThreadsMax ? count : std::nullopt;
}

}  // namespace

uint32_t parse_threads(const std::string& text) {
  const std::optional<uint32_t> count = threads_in(text);
  if (!count) throw InputError("--threads: " + threads_problem(text));
  return *count;
}

std::string threads_problem(const std::string& text) {
  return threads_in(text) ? ""
                          : "expected auto or a whole number from 1 to " +
                                std::to_string(kThreadsMax) + ", found " + quote(text);
}

Threads::Threads(uint32_t count, Profiler* profiler) : pool_(count), profiler_(profiler) {
  if (profiler != nullptr && profiler->keeps_timeline()) pool_.observe(profile_piece, profiler);
}

Platform Threads::platform() {
  Platform platform;
  platform.context = this;
  if (profiler_ != nullptr) platform.profile = profile_step;
  if (pool_.threads() > 1) {
    platform.parallel_for = parallel_for_pool;
    platform.threads = pool_.threads();
  }
  return platform;
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

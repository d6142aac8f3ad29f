// parallel_for by pthreadpool; one thread where a build has none.
#include "tools/run/threads.h"

#include <chrono>

#ifndef ARENITE_SINGLE_THREAD
#include <pthreadpool.h>

#include <algorithm>
#endif

namespace arenite::tools {
namespace {

#ifndef ARENITE_SINGLE_THREAD
struct Job {
  void (*task)(void* argument, uint32_t first, uint32_t last);
  void* argument;
  uint32_t count, pieces;
};

void run_piece(void* context, size_t piece) {
  const Job& job = *static_cast<const Job*>(context);
  const auto edge = [&](uint64_t p) { return static_cast<uint32_t>(p * job.count / job.pieces); };
  job.task(job.argument, edge(piece), edge(piece + 1));
}

void parallel_for_pool(void* context, uint32_t count, void (*task)(void*, uint32_t, uint32_t),
                       void* argument) {
  auto* pool = static_cast<pthreadpool*>(context);
  // A few pieces a thread, so that an uneven one does not hold up all.
  const auto threads = static_cast<uint32_t>(pthreadpool_get_threads_count(pool));
  Job job{task, argument, count, std::min(count, threads * 4)};
  if (job.pieces <= 1) {
    task(argument, 0, count);
    return;
  }
  pthreadpool_parallelize_1d(pool, run_piece, &job, job.pieces, 0);
}

#endif

uint64_t now_ns(void*) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace

#ifndef ARENITE_SINGLE_THREAD

Threads::Threads(uint32_t count) : pool_(count > 1 ? pthreadpool_create(count) : nullptr) {}

Threads::~Threads() {
  if (pool_ != nullptr) pthreadpool_destroy(pool_);
}

Platform Threads::platform() {
  Platform platform;
  platform.now = now_ns;
  if (pool_ != nullptr) {
    platform.context = pool_;
    platform.parallel_for = parallel_for_pool;
  }
  return platform;
}

#else

Threads::Threads(uint32_t) {}
Threads::~Threads() = default;

Platform Threads::platform() {
  Platform platform;
  platform.now = now_ns;
  return platform;
}

#endif

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

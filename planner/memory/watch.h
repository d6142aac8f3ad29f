// How a caller ends a long search early, and hears how it goes.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "support/progress.h"

namespace arenite::memory {

enum class Stop { kNone, kTimeLimit, kInterrupt };

struct Watch {
  using Clock = std::chrono::steady_clock;

  std::optional<Clock::time_point> deadline;
  const std::atomic<bool>* interrupted = nullptr;  // a signal handler may set it
  ProgressHook progress;

  // Why to come to an end with what there is. Reads the clock: ask every few microseconds.
  Stop stop() const {
    if (interrupted != nullptr && interrupted->load(std::memory_order_relaxed)) {
      return Stop::kInterrupt;
    }
    return deadline && Clock::now() >= *deadline ? Stop::kTimeLimit : Stop::kNone;
  }
};

// Null: nobody watches.
inline bool stopped(const Watch* watch) { return watch != nullptr && watch->stop() != Stop::kNone; }

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

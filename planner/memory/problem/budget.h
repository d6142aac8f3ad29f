// Limits of a search: a caller's watch, which can end it and hear of its progress, and counted
// work.
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

class Budget {
 public:
  // `watch` may be null.
  Budget(uint64_t work_max, const Watch* watch) : work_left_(work_max), watch_(watch) {}

  void spend(uint64_t work) { work_left_ -= work < work_left_ ? work : work_left_; }
  uint64_t work_left() const { return work_left_; }
  const Watch* watch() const { return watch_; }

  // May read the clock: ask between orders and restarts, not within.
  bool over() const { return work_left_ == 0 || stopped(watch_); }

 private:
  uint64_t work_left_;
  const Watch* watch_;
};

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

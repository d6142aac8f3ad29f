// How much work a packing may still do: counted steps, and an end from outside.
#pragma once

#include <cstdint>

#include "planner/memory/watch.h"

namespace arenite::memory {

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

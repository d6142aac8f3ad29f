// Shares a form's work among the platform's threads when there is enough of it.
#pragma once

#include <cstdint>

#include "core/platform.h"

namespace arenite {

// Below this many elementary operations waking threads costs more than it brings.
inline constexpr uint64_t kWorthSplitting = 32768;

// Runs task over pieces of [0, items). `work`: operations in all.
inline void split(const Platform& platform, uint32_t items, uint64_t work, PieceFunction task,
                  void* argument) {
  if (items > 1 && work >= kWorthSplitting) {
    parallel_for(platform, items, task, argument);
  } else {
    task(argument, 0, items, 0);
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

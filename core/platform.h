// Hooks through which the runtime asks the machine it runs on: each may be null.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenite {

// A step that a run leaves out, as its condition does not hold, has one event of its own.
enum class ProfileEvent : uint32_t { kStepBegin, kStepEnd, kStepLeftOut };

// A piece of a form's work: items [first, last). Pieces with the same thread number never run at
// the same time.
using PieceFunction = void (*)(void* argument, uint32_t first, uint32_t last, uint32_t thread);

struct Platform {
  void* context = nullptr;
  uint64_t (*now)(void* context) = nullptr;  // ticks, any unit
  void (*log)(void* context, const char* text) = nullptr;
  void (*fail)(void* context,
               const char* expression) = nullptr;  // a mistake of ours; does not return
  void (*profile)(void* context, ProfileEvent event, uint32_t step) = nullptr;
  // Makes bytes written by the CPU visible to other masters, and the reverse.
  void (*cache_clean)(void* context, const void* data, size_t bytes) = nullptr;
  void (*cache_invalidate)(void* context, void* data, size_t bytes) = nullptr;
  // Calls task over pieces of [0, count), perhaps at the same time, with thread numbers below
  // `threads`; returns when all are done. The results of a form do not depend on the pieces.
  void (*parallel_for)(void* context, uint32_t count, uint32_t threads, PieceFunction task,
                       void* argument) = nullptr;
  uint32_t threads =
      0;  // that parallel_for has, 0 for 1; a step gets no more than its variant plans
  // Reads bytes of the program file that is not memory-mapped; returns false when it can't.
  bool (*read_constants)(void* context, uint32_t file_offset, void* to, uint32_t bytes) = nullptr;
};

inline constexpr Platform kNoPlatform{};

// Runs `task` over [0, count) through the platform's threads, or here when there are none.
inline void parallel_for(const Platform& platform, uint32_t count, PieceFunction task,
                         void* argument) {
  if (platform.parallel_for != nullptr) {
    platform.parallel_for(platform.context, count, platform.threads, task, argument);
  } else {
    task(argument, 0, count, 0);
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

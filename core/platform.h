// Hooks through which the runtime asks the machine it runs on: each may be null.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenite {

struct Pauses;

// A step that a run leaves out, as its condition does not hold, has one event of its own.
enum class ProfileEvent : uint32_t { kStepBegin, kStepEnd, kStepLeftOut };

// A piece of a form's work: items [first, last). Pieces with the same thread number never run at
// the same time.
using PieceFunction = void (*)(void* argument, uint32_t first, uint32_t last, uint32_t thread);

struct Platform {
  void* context = nullptr;
  void (*profile)(void* context, ProfileEvent event, uint32_t step) = nullptr;
  // Calls task over pieces of [0, count), perhaps at the same time, with thread numbers below
  // `threads`; returns when all are done. The results of a form do not depend on the pieces.
  void (*parallel_for)(void* context, uint32_t count, uint32_t threads, PieceFunction task,
                       void* argument) = nullptr;
  uint32_t threads =
      0;  // that parallel_for has, 0 for 1; a step gets no more than its variant plans
  // Reads bytes of the program file that is not memory-mapped; returns false when it can't.
  bool (*read_constants)(void* context, uint32_t file_offset, void* to, uint32_t bytes) = nullptr;
  Pauses* pauses = nullptr;  // calls inside steps: core/pauses.h
};

// Below this many elementary operations waking threads costs more than it brings.
inline constexpr uint64_t kWorthSplitting = 32768;

constexpr bool is_worth_splitting(uint32_t items, uint64_t work) {
  return items > 1 && work >= kWorthSplitting;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Checks a finished memory plan against its problem, sharing no code with what made the plan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "planner/memory/problem/problem.h"

namespace arenite::memory {

// Each way in which a plan can be wrong.
enum class Violation {
  kMissingPlacement,    // a buffer without a placement
  kExtraPlacement,      // more placements than buffers
  kUnknownMemory,       // a memory index that no memory has
  kForbiddenMemory,     // a memory that the buffer does not allow
  kFixedMoved,          // a fixed buffer is not where it was fixed
  kRelativeUnresolved,  // a relative buffer without a base, or in a cycle
  kRelativeBroken,      // a relative buffer is not at its base plus its distance
  kMisaligned,          // an offset or address that is not a multiple of an alignment that applies
  kSizeOverflow,        // the end of a buffer, or its address, passes 2^64
  kOutOfMemory,         // the end of a buffer passes the end of its memory
  kBadLifetime,         // a lifetime that ends before it begins: its overlaps are undefined
  kBadGap,   // a gap outside its lifetime, across another gap, or with bytes in use that the
             // buffer does not have: the same
  kOverlap,  // two buffers, not tied together, share a byte at a step when it is in use by both,
             // and no Problem::overlaps of that step lets them lie so
};

inline constexpr Violation kViolationLast = Violation::kOverlap;

std::string_view name_of(Violation violation);

struct Finding {
  Violation violation = Violation::kOverlap;
  uint32_t buffer = 0;            // the offender; for kExtraPlacement the number of buffers
  std::optional<uint32_t> other;  // the second buffer, where there is one: overlap and relatives
  std::string message;            // in English, with names, offsets and steps
  uint32_t step = 0;              // of an overlap: the first at which the two meet
};

// The first violation, or nothing when the plan is right. Never throws and never reads out of
// bounds, whatever the problem and the plan hold. O(n log n) for n uses of buffers that are not
// relative and do not overlap.
std::optional<Finding> verify(const Problem& problem, const Solution& solution);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

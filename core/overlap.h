// Proves that no two values that live at the same time share bytes.
#pragma once

#include <cstdint>
#include <span>

#include "core/format.h"
#include "core/records.h"
#include "core/status.h"

namespace arenite {

// Most values for which verify_overlap compares pairs when it has no memory for the proof.
inline constexpr uint32_t kMaxPairwiseValues = 4096;

// Values of a variant, whose indices, storage ranges and lifetimes have been checked; `inputs` are
// the indices of the method's inputs, `arena_count` is at most kMaxArenas. A value that yields
// lives up to its last step only: what shares its bytes there is for the checks of steps. `proof`
// is memory for one word a value: with it the certificate (ValueRecord::below_or_root) is followed
// in linear time; with less, every pair is compared. Errors: kOverlap (value = the value that does
// not fit where it is born); kBadValue for a value stored before one of its arena that is born
// earlier; kArenaTooSmall for too many values without memory for the proof.
Status verify_overlap(Records<format::ValueRecord> values, std::span<const uint32_t> inputs,
                      uint32_t arena_count, std::span<uint32_t> proof);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

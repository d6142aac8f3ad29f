// The check that the indices in a step's data lie inside, as a dispatch that reports those that
// don't.
#pragma once

#include <cstdint>

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/command.h"

namespace arenite {

// The elements of an operand keep to 0 <= index < size, or to -size <= index < size where negative
// ones count from the end.
struct IndexRange {
  Operand indices;  // int32 or int64
  bool from_end = false;
  // Along dim `tuple_dim` lies a tuple of indices, the k-th of which keeps to sizes[k]; kNoIndex:
  // every element keeps to sizes[0].
  uint32_t tuple_dim = kNoIndex;
  uint32_t sizes[kMaxRank] = {};
};

// An invocation of index_check.comp for each index: one that lies outside sets the dispatch's flag
// (kFlagOperand). Writes nothing else, so that no barrier is needed around it.
Status emit_index_check(const IndexRange& range, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

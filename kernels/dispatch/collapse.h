// The nested loops of a step over up to four strided operands, reduced to as few dims as possible.
#pragma once

#include <cstdint>

#include "core/status.h"
#include "core/types.h"

namespace arenite {

// Dims innermost first, as the shaders' push words have them. Strides are in elements, modulo 2^32.
struct Loops {
  static constexpr uint32_t kOperands = 4;
  static constexpr uint32_t kDims = kMaxRank + 1;  // one for the words of an element

  uint32_t rank = 0;
  uint32_t dims[kDims] = {};
  uint32_t strides[kOperands][kDims] = {};

  // Adds a dim inside all others; one of a single element is left out.
  void add(uint32_t dim, uint32_t stride0, uint32_t stride1 = 0, uint32_t stride2 = 0,
           uint32_t stride3 = 0);
  // Elements; saturates far above 2^31.
  uint64_t count() const;
};

// Orders the dims by the strides of operand `key`, least first, so that neighboring invocations
// touch neighboring elements of it; then joins dims that all operands cross in one stride.
void collapse_dims(Loops& loops, uint32_t key);

// Moves the smallest dims to `outer` until `loops` has at most `rank_max`: each combination of
// outer indices becomes a dispatch of its own.
void split_outer(Loops& loops, uint32_t rank_max, Loops& outer);

// Calls emit(offsets) for each combination of indices of `outer` (once when it has no dims), with
// each operand's offset in elements. Stops at the first status that is not ok.
template <typename Emit>
Status for_each_outer(const Loops& outer, const Emit& emit) {
  uint32_t index[Loops::kDims] = {};
  uint32_t offsets[Loops::kOperands] = {};
  for (;;) {
    ARENITE_TRY(emit(offsets));
    uint32_t d = 0;
    for (; d < outer.rank; ++d) {
      const bool wraps = ++index[d] == outer.dims[d];
      const uint32_t steps = wraps ? 0u - (outer.dims[d] - 1) : 1u;
      for (uint32_t k = 0; k < Loops::kOperands; ++k) offsets[k] += steps * outer.strides[k][d];
      if (!wraps) break;
      index[d] = 0;
    }
    if (d == outer.rank) return ok_status();
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

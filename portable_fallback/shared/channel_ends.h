// The biases, multipliers and shifts of joined integer convolutions, an operand [3, O].
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/step.h"
#include "ops/attributes.h"
#include "portable_fallback/shared/integer_block.h"
#include "portable_fallback/shared/requantization.h"

namespace arenite {

// The numbers by which an output channel's sums become results.
struct ChannelEnds {
  ChannelEnds(const Tensor& ends, uint32_t o) {
    const IntegerRow row(ends, size_t{o} * ends.strides[1], ends.strides[0]);
    bias = static_cast<uint32_t>(row[0]);
    multiplier = static_cast<int32_t>(row[1]);
    shift = static_cast<int32_t>(row[2]);
  }
  int32_t result(uint32_t sum, const Requantization& output) const {
    return finished(static_cast<int32_t>(bias + sum), multiplier, shift, output);
  }

  uint32_t bias;
  int32_t multiplier, shift;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Weights in panels of 16 outputs: how many there are, and whether a value holds them.
#pragma once

#include <cstdint>

#include "core/contract.h"

namespace arenite {

// Operand 1 strided or in panels.
inline constexpr Packings kPackedWeights = {
    {1, layout_bit(Layout::kStrided) | layout_bit(Layout::kPanel16), 1, 1}};

constexpr uint32_t panels_of(uint32_t outputs) {
  return outputs / kPanelWidth + (outputs % kPanelWidth != 0);
}

// Whether `weights` has the bytes of `n` outputs over `k` inner indices, n * k being its elements.
inline bool panels_hold(const Tensor& weights, uint32_t n, uint64_t k) {
  return k * panels_of(n) * kPanelWidth * element_bytes(weights.dtype()) <= weights.bytes();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

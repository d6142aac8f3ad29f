// The layouts that contracts and forms allow weights, and whether a value holds its blocks.
#pragma once

#include <cstdint>

#include "core/contract.h"

namespace arenite {

// Contracts allow these.
inline constexpr Packings kFloatPackings = {
    layout_bit(Layout::kStrided) | layout_bit(Layout::kPanel16) | layout_bit(Layout::kBlocked)};
inline constexpr Packings kQuantizedPackings = {
    layout_bit(Layout::kStrided) | layout_bit(Layout::kPacked4) | layout_bit(Layout::kBlocked)};

// Forms read strided weights, or blocks of that size, which they want of constants.
constexpr Packings strided_or(const Blocks& blocks) {
  return {static_cast<uint8_t>(layout_bit(Layout::kStrided) | layout_bit(layout_of(blocks))),
          blocks};
}
inline constexpr Packings kPanelPackings = strided_or(kPanel16Blocks);
inline constexpr Packings kAnyBlocks = {layout_bit(Layout::kBlocked)};

// The dim of a step's weights, of so many dims, that counts outputs.
constexpr uint32_t outputs_dim(Op op, uint32_t rank) {
  return op == Op::kMatMul || op == Op::kQuantizedMatMul ? rank - 1 : 0;
}

// Whether a value's bytes hold so many outputs of `k` inner indices each.
inline bool holds(const Tensor& weights, const Blocks& blocks, uint32_t n, uint32_t k) {
  return bits_of(blocks, n, k) <= uint64_t{weights.bytes()} * 8;
}
inline bool panels_hold(const Tensor& weights, uint32_t n, uint32_t k) {
  return holds(weights, with_bits(kPanel16Blocks, element_bytes(weights.dtype())), n, k);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

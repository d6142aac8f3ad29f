// Says where the elements of values lie: by strides, or, for weights, in blocks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "include/arenite/types.h"

namespace arenite {

// The arrangement of a value's elements in its bytes, as programs store it.
enum class Layout : uint8_t {
  kStrided =
      0,  // element (i0, i1, ...) lies at sum(i_d * stride_d); strides are never negative, may be 0
  kPanel16 = 1,  // weights in kPanel16Blocks; strides are ignored (stored as 0)
  // Strided elements of int8 and uint8 in a range of 4 bits, two a byte: those at an even place in
  // the lower half. Those of int8 are in two's complement.
  kPacked4 = 2,
  kBlocked = 3,  // weights in blocks: the stride of the outputs' dim is their word, others are 0
};
constexpr uint8_t layout_bit(Layout layout) {
  return static_cast<uint8_t>(1u << static_cast<uint32_t>(layout));
}
constexpr bool in_blocks(Layout layout) {
  return layout == Layout::kPanel16 || layout == Layout::kBlocked;
}

// Weights in blocks of `n` outputs by `k` inner indices, [n / N][k / K][N][K], zeros where a block
// is not full. Weights of convolutions [O, I, KH, KW]: n = o, k = (kh * KW + kw) * I + i. MatMul's
// right side [..1.., K, N]: n = column, k = row.
struct Blocks {
  uint8_t n = 0, k = 0;  // 0: there are none
  uint8_t bits = 0;      // of an element; 0, of panel16 alone: as many as its type has

  constexpr bool operator==(const Blocks&) const = default;
};
inline constexpr uint32_t kPanelWidth = 16;
inline constexpr Blocks kPanel16Blocks = {.n = kPanelWidth, .k = 1};

// The layout of blocks, or of elements without them.
constexpr Layout layout_of(const Blocks& blocks) {
  if (blocks.n == 0) return Layout::kStrided;
  return blocks == kPanel16Blocks ? Layout::kPanel16 : Layout::kBlocked;
}

// The word of a program. It says the bits of each type.
constexpr uint32_t word_of(const Blocks& blocks) {
  return blocks.n | uint32_t{blocks.k} << 8 | uint32_t{blocks.bits} << 16;
}
constexpr Blocks blocks_of_word(uint32_t word) {
  return {static_cast<uint8_t>(word), static_cast<uint8_t>(word >> 8),
          static_cast<uint8_t>(word >> 16)};
}

// The word among the strides of weights that keep their operator's contract: outputs are their
// first dim or their last.
constexpr uint32_t blocks_word(const uint32_t* strides, uint32_t rank) {
  return strides[0] | strides[rank - 1];
}

// Whether elements of `element` bytes may have so many bits: their own; those of a byte 4, two a
// byte as in Layout::kPacked4, or 16.
constexpr bool fits(uint32_t bits, uint32_t element) {
  return bits == 8 * element || (element == 1 && (bits == 4 || bits == 16));
}

// Blocks of `size` that `count` need. Fewer than 2^31 of them never wrap.
constexpr uint32_t blocks_over(uint32_t count, uint32_t size) { return (count + size - 1) / size; }

// The same with the bits of elements of so many bytes, where it says none.
constexpr Blocks with_bits(Blocks blocks, uint32_t element) {
  if (blocks.bits == 0) blocks.bits = static_cast<uint8_t>(8 * element);
  return blocks;
}

// The bits of whole blocks of `n` outputs of `k` inner indices each: fewer than 2^31 elements.
constexpr uint64_t bits_of(const Blocks& blocks, uint32_t n, uint32_t k) {
  const uint32_t whole_k = blocks_over(k, blocks.k) * blocks.k;
  return uint64_t{blocks_over(n, blocks.n) * blocks.n} * whole_k * blocks.bits;
}

// The elements before (n, k), of outputs that have `depth` inner indices each.
constexpr size_t place_of(const Blocks& blocks, uint32_t depth, uint32_t n, uint32_t k) {
  const size_t before = n / blocks.n * size_t{blocks_over(depth, blocks.k)} + k / blocks.k;
  return (before * blocks.n + n % blocks.n) * blocks.k + k % blocks.k;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

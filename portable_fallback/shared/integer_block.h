// Sixteen sums of integer products at once, of any signs: the inner loops of quantized convolutions
// and matrix products, and how their sums begin and end.
//
// Weights are multiplied as they are stored. Their zero point comes in afterwards, by
//   sum of (x - a) * (w - b) = sum of (x - a) * w  -  b * sum of (x - a),
// which holds modulo 2^32 too: sums are unsigned and wrap. So does that of x where x is of 16 bits,
// while those of 8 bits are made int16 less it, once for sixteen outputs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"
#include "core/shape.h"
#include "core/step.h"
#include "ops/attributes.h"
#include "portable_fallback/shared/block.h"

namespace arenite {

// `count` inner products of `k` elements: x[k * x_k + j * x_n] * w[k * w_k + j * w_n].
struct IntegerProduct {
  size_t x_k, x_n;  // strides in elements; x_n is 0 where all take the same x
  size_t w_k, w_n;
  uint32_t k;
  uint32_t count;  // <= kBlock
};

// Elements of x that are made int16 at a time.
inline constexpr uint32_t kIntegerPiece = 128;

// Weights from an element on.
struct IntegerWeights {
  Src<std::byte> data;
  size_t at;  // elements from the start of the data
  // Of elements of 4 bits the bit that is negative, or 0; of blocks their word, and above it the
  // type of elements.
  int32_t how;

  IntegerWeights operator+(size_t elements) const { return {data, at + elements, how}; }
};

// The loops for one pair of types.
template <typename Sum>
struct IntegerLoops {
  // `count` elements, x_step apart, less the zero point.
  void (*widen)(Src<std::byte> x, size_t x_step, uint32_t count, int32_t zero_point, int16_t* to);
  // acc[j] += the products of x, of which all take the same k <= kIntegerPiece.
  void (*add_shared)(const IntegerProduct& product, const int16_t* x, const IntegerWeights& w,
                     Sum* acc);
  // acc[j] += the products of x, of which each has its own, and of these as they are stored
  // moved[j] += the sum, where it is not null.
  void (*add_lanes)(const IntegerProduct& product, Src<std::byte> x, const IntegerWeights& w,
                    Sum* acc, Sum* moved);
  // acc[j] += factor * the sum of w.
  void (*add_weights)(const IntegerProduct& product, const IntegerWeights& w, Sum factor, Sum* acc);
};

// Those for a step's types: of x of 8 bits, whose sums have 32; of x of 16 bits, whose sums have 64
// (of which those of 32 are the lower part).
template <typename Sum>
IntegerLoops<Sum> stored_loops(const Step& step);
// The same for weights of two elements a byte (Layout::kPacked4).
template <typename Sum>
IntegerLoops<Sum> packed_loops(const Step& step);
// The same for weights in blocks, which a geometry reads in rows.
template <typename Sum>
IntegerLoops<Sum> blocked_loops(const Step& step);

template <typename Sum>
using LoopsOf = IntegerLoops<Sum> (*)(const Step& step);

// An operand of one integer for each of a block's outputs; null where left out.
struct IntegerRow {
  Src<std::byte> data = nullptr;
  size_t step = 0;  // elements
  DType dtype = DType::kNone;

  IntegerRow() = default;
  // From element `at` of the tensor on.
  IntegerRow(const Tensor& tensor, size_t at, size_t step_of);
  int64_t operator[](uint32_t j) const;
};

// The rows beside x and w that a block's sums need.
struct IntegerEnds {
  IntegerRow bias, multipliers, shifts, w_zero_points;
};

// The numbers that all sums of a step share.
template <typename Sum>
struct IntegerSums {
  IntegerSums(const Step& step, int32_t x_zero, int32_t w_zero, const Requantization& output_of,
              const IntegerLoops<Sum>& loops_of);

  IntegerWeights weights(const Tensor& w, size_t at) const {
    return {w.read<std::byte>(), at, w_how};
  }

  // For weights in blocks.
  void read_blocks(const Tensor& w) {
    const uint32_t dtype = w.record->dtype;
    w_how = static_cast<int32_t>(word_of(blocks_of(w)) | dtype << 24);
  }

  // The ends of the outputs from channel `o` on.
  IntegerEnds ends_of_channels(uint32_t o) const;
  void start(const IntegerEnds& ends, uint32_t count, Sum* acc) const;
  // Adds the products of x, less the zero point, and w.
  void add(const IntegerProduct& product, Src<std::byte> x, const IntegerWeights& w,
           int32_t zero_point, Sum* acc, Sum* moved) const;
  // The same, every x being the zero point and `above`.
  void add_above(const IntegerProduct& product, const IntegerWeights& w, Sum above, Sum* acc,
                 Sum* moved) const;
  // Writes results, y_step elements apart.
  void finish(const IntegerProduct& product, const IntegerEnds& ends, const Sum* acc,
              const Sum* moved, Dst<std::byte> y, size_t y_step) const;

  IntegerLoops<Sum> loops;
  Tensor bias, multipliers, shifts, x_zero_points, w_zero_points;  // data null where left out
  int32_t x_zero_point, w_zero_point;                              // where operands do not say it
  bool moves;                 // w's zero points may be other than 0
  bool wide;                  // sums have 64 bits
  uint32_t x_bytes, y_bytes;  // of an element
  int32_t w_how;              // IntegerWeights::how
  Requantization output;
};

extern template struct IntegerSums<uint32_t>;
extern template struct IntegerSums<uint64_t>;

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

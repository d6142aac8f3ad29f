// Starts sums of integer products and turns them into results.
#include "portable_fallback/shared/integer_block.h"

#include "ops/quantized.h"
#include "portable_fallback/shared/requantization.h"

namespace arenite {
namespace {

template <typename Y>
void write(const int32_t* results, uint32_t count, Dst<std::byte> y_bytes, size_t y_step) {
  Dst<Y> y = as<Y>(y_bytes);
  for (uint32_t j = 0; j < count; ++j) y[j * y_step] = static_cast<Y>(results[j]);
}

Tensor input_or_none(const Step& step, uint32_t i) {
  return step.has_input(i) ? step.input(i) : Tensor{};
}

}  // namespace

IntegerRow::IntegerRow(const Tensor& tensor, size_t at, size_t step_of)
    : step(step_of), dtype(tensor.dtype()) {
  if (tensor.data != nullptr) data = tensor.read<std::byte>() + at * element_bytes(dtype);
}

int64_t IntegerRow::operator[](uint32_t j) const {
  const size_t at = j * step;
  switch (dtype) {
    case DType::kInt8:
      return as<int8_t>(data)[at];
    case DType::kUint8:
      return as<uint8_t>(data)[at];
    case DType::kInt16:
      return as<int16_t>(data)[at];
    case DType::kInt32:
      return as<int32_t>(data)[at];
    default:
      return as<int64_t>(data)[at];
  }
}

template <typename Sum>
IntegerSums<Sum>::IntegerSums(const Step& step, int32_t x_zero, int32_t w_zero,
                              const Requantization& output_of, const IntegerLoops<Sum>& loops_of)
    : loops(loops_of),
      bias(input_or_none(step, kBiasInput)),
      multipliers(input_or_none(step, kMultipliersInput)),
      shifts(input_or_none(step, kShiftsInput)),
      x_zero_points(input_or_none(step, kXZeroPointInput)),
      w_zero_points(input_or_none(step, kWZeroPointsInput)),
      x_zero_point(x_zero),
      w_zero_point(w_zero),
      moves(w_zero != 0 || w_zero_points.data != nullptr),
      wide(has_wide_sums(step)),
      x_bytes(element_bytes(step.input(0).dtype())),
      y_bytes(element_bytes(step.output(0).dtype())),
      w_how(step.input(1).dtype() == DType::kInt8 ? 8 : 0),
      output(output_of) {}

template <typename Sum>
IntegerEnds IntegerSums<Sum>::ends_of_channels(uint32_t o) const {
  // A single one serves all.
  const auto row = [o](const Tensor& tensor) {
    if (tensor.data == nullptr) return IntegerRow();
    const size_t step = tensor.dims[0] == 1 ? 0 : tensor.strides[0];
    return IntegerRow(tensor, o * step, step);
  };
  return {row(bias), row(multipliers), row(shifts), row(w_zero_points)};
}

template <typename Sum>
void IntegerSums<Sum>::start(const IntegerEnds& ends, uint32_t count, Sum* acc) const {
  for (uint32_t j = 0; j < count; ++j) {
    acc[j] = ends.bias.data == nullptr ? Sum{0} : static_cast<Sum>(ends.bias[j]);
  }
}

template <typename Sum>
void IntegerSums<Sum>::add(const IntegerProduct& product, Src<std::byte> x, const IntegerWeights& w,
                           int32_t zero_point, Sum* acc, Sum* moved) const {
  const bool lanes = product.x_n != 0;
  if (lanes) {
    loops.add_lanes(product, x, w, acc, moves ? moved : nullptr);
  } else {
    int16_t numbers[kIntegerPiece];
    const int32_t taken = x_bytes == 1 ? zero_point : 0;
    IntegerProduct piece = product;
    Src<std::byte> x_piece = x;
    IntegerWeights w_piece = w;
    for (uint32_t left = product.k; left != 0; left -= piece.k) {
      piece.k = left < kIntegerPiece ? left : kIntegerPiece;
      loops.widen(x_piece, product.x_k, piece.k, taken, numbers);
      loops.add_shared(piece, numbers, w_piece, acc);
      for (uint32_t k = 0; moves && k < piece.k; ++k) moved[0] += static_cast<Sum>(numbers[k]);
      x_piece += piece.k * product.x_k * x_bytes;
      w_piece.at += piece.k * product.w_k;
    }
  }
  if (zero_point != 0 && (lanes || x_bytes != 1)) {
    add_above(product, w, 0 - static_cast<Sum>(zero_point), acc, moved);
  }
}

template <typename Sum>
void IntegerSums<Sum>::add_above(const IntegerProduct& product, const IntegerWeights& w, Sum above,
                                 Sum* acc, Sum* moved) const {
  loops.add_weights(product, w, above, acc);
  const uint32_t count = product.x_n == 0 ? 1 : product.count;
  for (uint32_t j = 0; j < count; ++j) moved[j] += above * product.k;
}

template <typename Sum>
void IntegerSums<Sum>::finish(const IntegerProduct& product, const IntegerEnds& ends,
                              const Sum* acc, const Sum* moved, Dst<std::byte> y,
                              size_t y_step) const {
  int32_t results[kBlock];
  Src<int32_t> multiplier = as<int32_t>(ends.multipliers.data);
  Src<int8_t> shift = as<int8_t>(ends.shifts.data);
  for (uint32_t j = 0; j < product.count; ++j) {
    Sum sum = acc[j];
    if (moves) {
      const Sum zero_point = ends.w_zero_points.data == nullptr
                                 ? static_cast<Sum>(w_zero_point)
                                 : static_cast<Sum>(ends.w_zero_points[j]);
      sum -= zero_point * moved[product.x_n == 0 ? 0 : j];
    }
    results[j] = static_cast<int32_t>(sum);
    if (multiplier == nullptr) continue;
    results[j] = wide ? finished(static_cast<int64_t>(sum), *multiplier, *shift, output)
                      : finished(results[j], *multiplier, *shift, output);
    multiplier += ends.multipliers.step;
    shift += ends.shifts.step;
  }
  if (y_bytes == 1) {
    write<int8_t>(results, product.count, y, y_step);
  } else if (y_bytes == 2) {
    write<int16_t>(results, product.count, y, y_step);
  } else {
    write<int32_t>(results, product.count, y, y_step);
  }
}

template struct IntegerSums<uint32_t>;
template struct IntegerSums<uint64_t>;

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The loops over integers of 8 and 16 bits, and what is done once a sum.
#include "portable_fallback/integer_block.h"

#include "ops/quantised.h"
#include "portable_fallback/requantise.h"

namespace arenite {
namespace {

// Sums of so many products fit 32 bits; of two int16 none would, and these have 64.
template <typename X, typename W>
inline constexpr uint32_t kPiece = sizeof(X) + sizeof(W) == 2   ? 1u << 15
                                   : sizeof(X) + sizeof(W) == 3 ? 1u << 8
                                                                : 1u << 31;
template <typename X, typename W>
using Partial = std::conditional_t<sizeof(X) + sizeof(W) == 4, int64_t, int32_t>;

// Both of stride 1 along k: four outputs at a time, so that an x is read once for four.
template <typename Sum, typename X, typename W>
void add_rows(const IntegerProduct& product, Src<X> x, Src<W> w, Sum* __restrict acc) {
  for (uint32_t left = product.k; left != 0;) {
    const uint32_t piece = left < kPiece<X, W> ? left : kPiece<X, W>;
    uint32_t j = 0;
    for (; j + 4 <= product.count; j += 4) {
      Src<W> w0 = w + j * product.w_n;
      Src<W> w1 = w0 + product.w_n;
      Src<W> w2 = w1 + product.w_n;
      Src<W> w3 = w2 + product.w_n;
      Partial<X, W> s0 = 0, s1 = 0, s2 = 0, s3 = 0;
      for (uint32_t k = 0; k < piece; ++k) {
        const int32_t v = x[k];
        s0 += v * w0[k];
        s1 += v * w1[k];
        s2 += v * w2[k];
        s3 += v * w3[k];
      }
      acc[j] += static_cast<Sum>(s0);
      acc[j + 1] += static_cast<Sum>(s1);
      acc[j + 2] += static_cast<Sum>(s2);
      acc[j + 3] += static_cast<Sum>(s3);
    }
    for (; j < product.count; ++j) {
      Src<W> w0 = w + j * product.w_n;
      Partial<X, W> s0 = 0;
      for (uint32_t k = 0; k < piece; ++k) s0 += int32_t{x[k]} * w0[k];
      acc[j] += static_cast<Sum>(s0);
    }
    left -= piece;
    x += piece;
    w += piece;
  }
}

// Outputs side by side.
template <typename Sum, typename X, typename W>
void add_lanes(const IntegerProduct& product, Src<X> x, Src<W> w, Sum* __restrict acc) {
  for (uint32_t left = product.k; left != 0; --left, x += product.x_k, w += product.w_k) {
    if (product.x_n == 0) {
      const int32_t v = *x;
      for (uint32_t j = 0; j < product.count; ++j) acc[j] += static_cast<Sum>(v * w[j]);
    } else {
      for (uint32_t j = 0; j < product.count; ++j) acc[j] += static_cast<Sum>(int32_t{x[j]} * w[j]);
    }
  }
}

template <typename Sum, typename X, typename W>
void add_products(const IntegerProduct& product, Src<std::byte> x_bytes, Src<std::byte> w_bytes,
                  Sum* __restrict acc) {
  Src<X> x = as<X>(x_bytes);
  Src<W> w = as<W>(w_bytes);
  if (product.w_n == 1 && product.x_n <= 1) {
    add_lanes<Sum, X, W>(product, x, w, acc);
  } else if (product.x_k == 1 && product.w_k == 1 && product.x_n == 0) {
    add_rows<Sum, X, W>(product, x, w, acc);
  } else {
    for (uint32_t j = 0; j < product.count; ++j, x += product.x_n, w += product.w_n) {
      Sum sum = 0;
      for (uint32_t k = 0; k < product.k; ++k) {
        sum += static_cast<Sum>(int32_t{x[k * product.x_k]} * w[k * product.w_k]);
      }
      acc[j] += sum;
    }
  }
}

template <typename Sum, typename W>
void add_weights(const IntegerProduct& product, Src<std::byte> w_bytes, Sum factor,
                 Sum* __restrict acc) {
  Src<W> w = as<W>(w_bytes);
  for (uint32_t j = 0; j < product.count; ++j, w += product.w_n) {
    Sum sum = 0;
    for (uint32_t k = 0; k < product.k; ++k) {
      sum += static_cast<Sum>(int32_t{w[k * product.w_k]});
    }
    acc[j] += factor * sum;
  }
}

template <typename Sum, typename X>
void add_inputs(const IntegerProduct& product, Src<std::byte> x_bytes, Sum* __restrict moved) {
  Src<X> x = as<X>(x_bytes);
  const uint32_t count = product.x_n == 0 ? 1 : product.count;
  for (uint32_t j = 0; j < count; ++j, x += product.x_n) {
    Sum sum = 0;
    for (uint32_t k = 0; k < product.k; ++k) {
      sum += static_cast<Sum>(int32_t{x[k * product.x_k]});
    }
    moved[j] += sum;
  }
}

template <typename Sum, typename X, typename W>
constexpr IntegerLoops<Sum> kLoops = {add_products<Sum, X, W>, add_weights<Sum, W>,
                                      add_inputs<Sum, X>};

template <typename Sum>
IntegerLoops<Sum> loops_of(const Step& step) {
  const DType w = step.input(1).dtype();
  if constexpr (sizeof(Sum) == 4) {
    return byte_loops(step.input(0).dtype(), w);
  } else {
    return int16_loops(w);
  }
}

Tensor input_or_none(const Step& step, uint32_t i) {
  return step.has_input(i) ? step.input(i) : Tensor{};
}

}  // namespace

IntegerLoops<uint32_t> byte_loops(DType x, DType w) {
  if (x == DType::kInt8) {
    return w == DType::kInt8 ? kLoops<uint32_t, int8_t, int8_t> : kLoops<uint32_t, int8_t, uint8_t>;
  }
  return w == DType::kInt8 ? kLoops<uint32_t, uint8_t, int8_t> : kLoops<uint32_t, uint8_t, uint8_t>;
}

IntegerLoops<uint64_t> int16_loops(DType w) {
  if (w == DType::kInt16) return kLoops<uint64_t, int16_t, int16_t>;
  return w == DType::kInt8 ? kLoops<uint64_t, int16_t, int8_t> : kLoops<uint64_t, int16_t, uint8_t>;
}

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
                              const Requantisation& output_of)
    : loops(loops_of<Sum>(step)),
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
      w_bytes(element_bytes(step.input(1).dtype())),
      y_bytes(element_bytes(step.output(0).dtype())),
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
void IntegerSums<Sum>::add(const IntegerProduct& product, Src<std::byte> x, Src<std::byte> w,
                           Sum zero_point, Sum* acc, Sum* moved) const {
  loops.add_products(product, x, w, acc);
  if (moves) loops.add_inputs(product, x, moved);
  if (zero_point != 0) add_above(product, w, 0 - zero_point, acc, moved);
}

template <typename Sum>
void IntegerSums<Sum>::add_above(const IntegerProduct& product, Src<std::byte> w, Sum above,
                                 Sum* acc, Sum* moved) const {
  loops.add_weights(product, w, above, acc);
  const uint32_t count = product.x_n == 0 ? 1 : product.count;
  for (uint32_t j = 0; j < count; ++j) moved[j] += above * product.k;
}

template <typename Sum>
void IntegerSums<Sum>::finish(const IntegerProduct& product, const IntegerEnds& ends,
                              const Sum* acc, const Sum* moved, Dst<std::byte> y,
                              size_t y_step) const {
  for (uint32_t j = 0; j < product.count; ++j, y += y_step * y_bytes) {
    Sum sum = acc[j];
    if (moves) {
      const Sum zero_point = ends.w_zero_points.data == nullptr
                                 ? static_cast<Sum>(w_zero_point)
                                 : static_cast<Sum>(ends.w_zero_points[j]);
      sum -= zero_point * moved[product.x_n == 0 ? 0 : j];
    }
    auto value = static_cast<int32_t>(sum);
    if (ends.multipliers.data != nullptr) {
      const auto multiplier = static_cast<int32_t>(ends.multipliers[j]);
      const auto shift = static_cast<int32_t>(ends.shifts[j]);
      value = wide ? finished(static_cast<int64_t>(sum), multiplier, shift, output)
                   : finished(value, multiplier, shift, output);
    }
    if (y_bytes == 1) {
      *as<int8_t>(y) = static_cast<int8_t>(value);
    } else if (y_bytes == 2) {
      *as<int16_t>(y) = static_cast<int16_t>(value);
    } else {
      *as<int32_t>(y) = value;
    }
  }
}

template struct IntegerSums<uint32_t>;
template struct IntegerSums<uint64_t>;

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

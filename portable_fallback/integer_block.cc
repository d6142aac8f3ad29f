// The loops over integers of 8 and 16 bits, and what is done once a sum.
#include "portable_fallback/integer_block.h"

#include "ops/quantised.h"
#include "portable_fallback/requantise.h"

namespace arenite {
namespace {

template <typename X>
void widen(Src<std::byte> x_bytes, size_t x_step, uint32_t count, int32_t zero_point, int16_t* to) {
  Src<X> x = as<X>(x_bytes);
  if (x_step == 1) {
    for (uint32_t k = 0; k < count; ++k) to[k] = static_cast<int16_t>(x[k] - zero_point);
  } else {
    for (uint32_t k = 0; k < count; ++k, x += x_step) to[k] = static_cast<int16_t>(*x - zero_point);
  }
}

// Of kIntegerPiece products: those of bytes fit 32 bits.
template <typename W>
using Partial = std::conditional_t<sizeof(W) == 1, int32_t, int64_t>;

// A piece of stride 1 along k: four outputs at a time, so that an x is read once for four.
template <typename Sum, typename W>
void add_rows(const IntegerProduct& product, const int16_t* x, Src<W> w, Sum* acc) {
  uint32_t j = 0;
  for (; j + 4 <= product.count; j += 4) {
    Src<W> w0 = w + j * product.w_n;
    Src<W> w1 = w0 + product.w_n;
    Src<W> w2 = w1 + product.w_n;
    Src<W> w3 = w2 + product.w_n;
    Partial<W> s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (uint32_t k = 0; k < product.k; ++k) {
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
    Partial<W> s0 = 0;
    for (uint32_t k = 0; k < product.k; ++k) s0 += int32_t{x[k]} * w0[k];
    acc[j] += static_cast<Sum>(s0);
  }
}

template <typename Sum, typename W>
void add_shared(const IntegerProduct& product, const int16_t* x, Src<std::byte> w_bytes,
                Sum* __restrict acc) {
  Src<W> w = as<W>(w_bytes);
  if (product.w_k == 1) {
    add_rows<Sum, W>(product, x, w, acc);
  } else if (product.w_n == 1 && product.count == kBlock) {
    // Sixteen neighbouring outputs.
    for (uint32_t k = 0; k < product.k; ++k, w += product.w_k) {
      const int32_t v = x[k];
      for (uint32_t j = 0; j < kBlock; ++j) acc[j] += static_cast<Sum>(v * w[j]);
    }
  } else {
    for (uint32_t k = 0; k < product.k; ++k, w += product.w_k) {
      const int32_t v = x[k];
      for (uint32_t j = 0; j < product.count; ++j) {
        acc[j] += static_cast<Sum>(v * w[j * product.w_n]);
      }
    }
  }
}

template <typename Sum, typename X, typename W>
void add_lanes(const IntegerProduct& product, Src<std::byte> x_bytes, Src<std::byte> w_bytes,
               Sum* __restrict acc, Sum* __restrict moved) {
  Src<X> x = as<X>(x_bytes);
  Src<W> w = as<W>(w_bytes);
  const bool neighbours = product.x_n == 1 && product.w_n == 1 && product.count == kBlock;
  for (uint32_t left = product.k; left != 0; --left, x += product.x_k, w += product.w_k) {
    if (neighbours) {
      for (uint32_t j = 0; j < kBlock; ++j) acc[j] += static_cast<Sum>(int32_t{x[j]} * w[j]);
    } else {
      for (uint32_t j = 0; j < product.count; ++j) {
        acc[j] += static_cast<Sum>(int32_t{x[j * product.x_n]} * w[j * product.w_n]);
      }
    }
    if (moved == nullptr) continue;
    for (uint32_t j = 0; j < product.count; ++j) {
      moved[j] += static_cast<Sum>(int32_t{x[j * product.x_n]});
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

template <typename Sum, typename X, typename W>
constexpr IntegerLoops<Sum> kLoops = {widen<X>, add_shared<Sum, W>, add_lanes<Sum, X, W>,
                                      add_weights<Sum, W>};

template <typename Sum>
IntegerLoops<Sum> loops_of(const Step& step) {
  const DType w = step.input(1).dtype();
  if constexpr (sizeof(Sum) == 4) {
    return byte_loops(step.input(0).dtype(), w);
  } else {
    return int16_loops(w);
  }
}

template <typename Y>
void write(const int32_t* results, uint32_t count, Dst<std::byte> y_bytes, size_t y_step) {
  Dst<Y> y = as<Y>(y_bytes);
  for (uint32_t j = 0; j < count; ++j) y[j * y_step] = static_cast<Y>(results[j]);
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
                           int32_t zero_point, Sum* acc, Sum* moved) const {
  const bool lanes = product.x_n != 0;
  if (lanes) {
    loops.add_lanes(product, x, w, acc, moves ? moved : nullptr);
  } else {
    int16_t numbers[kIntegerPiece];
    const int32_t taken = x_bytes == 1 ? zero_point : 0;
    IntegerProduct piece = product;
    Src<std::byte> x_piece = x;
    Src<std::byte> w_piece = w;
    for (uint32_t left = product.k; left != 0; left -= piece.k) {
      piece.k = left < kIntegerPiece ? left : kIntegerPiece;
      loops.widen(x_piece, product.x_k, piece.k, taken, numbers);
      loops.add_shared(piece, numbers, w_piece, acc);
      for (uint32_t k = 0; moves && k < piece.k; ++k) moved[0] += static_cast<Sum>(numbers[k]);
      x_piece += piece.k * product.x_k * x_bytes;
      w_piece += piece.k * product.w_k * w_bytes;
    }
  }
  if (zero_point != 0 && (lanes || x_bytes != 1)) {
    add_above(product, w, 0 - static_cast<Sum>(zero_point), acc, moved);
  }
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

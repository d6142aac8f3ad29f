// The inner loops of quantized convolutions and matrix products, for each pair of types: templates
// that whoever lists them makes, so that no image has those that it does not run.
#pragma once

#include <type_traits>

#include "portable_fallback/shared/integer_block.h"

namespace arenite::integer_loops {

template <typename X>
void widen(Src<std::byte> x_bytes, size_t x_step, uint32_t count, int32_t zero_point, int16_t* to) {
  Src<X> x = as<X>(x_bytes);
  if (x_step == 1) {
    for (uint32_t k = 0; k < count; ++k) to[k] = static_cast<int16_t>(x[k] - zero_point);
  } else {
    for (uint32_t k = 0; k < count; ++k, x += x_step) to[k] = static_cast<int16_t>(*x - zero_point);
  }
}

// Weights as they are stored: elements of type T...
template <typename T>
struct Stored {
  // The sum of kIntegerPiece products: those of bytes fit 32 bits.
  using Partial = std::conditional_t<sizeof(T) == 1, int32_t, int64_t>;
  static Src<T> at(const IntegerWeights& w, const IntegerProduct&) { return as<T>(w.data) + w.at; }
};

// ... or two of them a byte.
struct Packed {
  using Partial = int32_t;

  class Elements {
   public:
    explicit Elements(const IntegerWeights& w) : w_(w) {}
    int32_t operator[](size_t i) const {
      const size_t at = w_.at + i;
      const auto half = static_cast<int32_t>(as<uint8_t>(w_.data)[at / 2] >> (at % 2 * 4) & 0xf);
      return (half ^ w_.how) - w_.how;
    }
    Elements operator+(size_t elements) const { return Elements(w_ + elements); }
    Elements& operator+=(size_t elements) {
      w_.at += elements;
      return *this;
    }

   private:
    IntegerWeights w_;
  };
  static Elements at(const IntegerWeights& w, const IntegerProduct&) { return Elements(w); }
};

// A piece of stride 1 along k: four outputs at a time, so that an x is read once for four.
template <typename Sum, typename W>
void add_rows(const IntegerProduct& product, const int16_t* x, const IntegerWeights& w, Sum* acc) {
  uint32_t j = 0;
  for (; j + 4 <= product.count; j += 4) {
    const auto w0 = W::at(w + j * product.w_n, product);
    const auto w1 = w0 + product.w_n;
    const auto w2 = w1 + product.w_n;
    const auto w3 = w2 + product.w_n;
    typename W::Partial s0 = 0, s1 = 0, s2 = 0, s3 = 0;
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
    const auto w0 = W::at(w + j * product.w_n, product);
    typename W::Partial s0 = 0;
    for (uint32_t k = 0; k < product.k; ++k) s0 += int32_t{x[k]} * w0[k];
    acc[j] += static_cast<Sum>(s0);
  }
}

template <typename Sum, typename W>
void add_shared(const IntegerProduct& product, const int16_t* x, const IntegerWeights& weights,
                Sum* __restrict acc) {
  auto w = W::at(weights, product);
  if (product.w_k == 1) {
    add_rows<Sum, W>(product, x, weights, acc);
  } else if (product.w_n == 1 && product.count == kBlock) {
    // Sixteen neighboring outputs.
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
void add_lanes(const IntegerProduct& product, Src<std::byte> x_bytes, const IntegerWeights& weights,
               Sum* __restrict acc, Sum* __restrict moved) {
  Src<X> x = as<X>(x_bytes);
  auto w = W::at(weights, product);
  const bool neighbors = product.x_n == 1 && product.w_n == 1 && product.count == kBlock;
  for (uint32_t left = product.k; left != 0; --left, x += product.x_k, w += product.w_k) {
    if (neighbors) {
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
void add_weights(const IntegerProduct& product, const IntegerWeights& weights, Sum factor,
                 Sum* __restrict acc) {
  auto w = W::at(weights, product);
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

}  // namespace arenite::integer_loops
// SPDX-License-Identifier: Apache-2.0

// Time steps of recurrent cells, neighboring hidden units in a vector; compiled for each
// instruction set like float_tiles.h.
#pragma once

#include "portable_fallback/fast/float_cells.h"
#include "portable_fallback/fast/float_functions.h"

namespace arenite {
namespace {

// Rows of weights that are added at once: as many streams as a CPU follows, and the sums are loaded
// and stored once for all of them.
constexpr uint32_t kStateRows = 8;

// The first `count` floats of a vector, or all.
inline Vector load_some(const float* from, uint32_t count) {
  return count < kLanes ? load_first(from, count) : load(from);
}
inline void store_some(float* to, Vector v, uint32_t count) {
  if (count == kLanes) return store(to, v);
  for (uint32_t i = 0; i < count; ++i) to[i] = v[i];
}

// Calls part(i, count) for vectors of neighbors; the last may have fewer than a vector's.
template <typename Part>
[[gnu::always_inline]] inline void for_vectors(uint32_t count, Part part) {
  uint32_t i = 0;
  for (; count - i >= kLanes; i += kLanes) part(i, kLanes);
  if (i < count) part(i, count - i);
}

template <uint32_t kRows>
[[gnu::always_inline]] inline void add_state_rows(const FloatStateProduct& p, uint32_t k) {
  const float* w = p.w + k * p.w_k;
  Vector x[kRows];
#pragma GCC unroll 8
  for (uint32_t r = 0; r < kRows; ++r) x[r] = Vector{} + p.state[k + r];
  const auto add = [&](uint32_t n, uint32_t count) __attribute__((always_inline)) {
    Vector sum = load_some(p.sums + n, count);
#pragma GCC unroll 8
    for (uint32_t r = 0; r < kRows; ++r) sum += x[r] * load_some(w + r * p.w_k + n, count);
    store_some(p.sums + n, sum, count);
  };
  for_vectors(p.columns, add);
}

void add_state_product(const FloatStateProduct& p) {
  uint32_t k = 0;
  for (; p.depth - k >= kStateRows; k += kStateRows) add_state_rows<kStateRows>(p, k);
  for (; k < p.depth; ++k) add_state_rows<1>(p, k);
}

class CellStep {
 public:
  explicit CellStep(const FloatCell& cell) : cell_(cell) {}

  void rnn() const {
    each([&](uint32_t i, uint32_t count) {
      store_some(cell_.h + i, function(0, sum(0, i, count)), count);
    });
  }

  void lstm() const {
    each([&](uint32_t i, uint32_t count) {
      const Vector last = load_some(cell_.c + i, count);
      const Vector in = function(0, sum(0, i, count) + seen(0, last, i, count));
      const Vector forget =
          cell_.variant ? 1.0f - in : function(0, sum(2, i, count) + seen(2, last, i, count));
      const Vector next = forget * last + in * function(1, sum(3, i, count));
      store_some(cell_.c + i, next, count);
      const Vector out = function(0, sum(1, i, count) + seen(1, next, i, count));
      store_some(cell_.h + i, out * function(2, next), count);
    });
  }

  void gru_reset() const {
    each([&](uint32_t i, uint32_t count) {
      const Vector r = function(0, sum(1, i, count));
      store_some(cell_.reset + i, r * load_some(cell_.h + i, count), count);
    });
  }

  void gru() const {
    each([&](uint32_t i, uint32_t count) {
      const Vector z = function(0, sum(0, i, count));
      Vector next = load_some(row(cell_.sums, 2) + i, count);
      if (cell_.variant) {
        const Vector r = function(0, sum(1, i, count));
        next += r * (load_some(cell_.reset + i, count) + bias(2, i, count));
      } else {
        next += bias(2, i, count);
      }
      next = function(1, next);
      store_some(cell_.h + i, (1.0f - z) * next + z * load_some(cell_.h + i, count), count);
    });
  }

 private:
  template <typename Part>
  void each(Part part) const {
    for (uint32_t i = 0; i < cell_.hidden; i += kLanes) {
      const uint32_t left = cell_.hidden - i;
      part(i, left < kLanes ? left : kLanes);
    }
  }

  template <typename T>
  T* row(T* rows, uint32_t r) const {
    return rows + r * size_t{cell_.hidden};
  }
  Vector bias(uint32_t gate, uint32_t i, uint32_t count) const {
    return cell_.bias == nullptr ? Vector{} : load_some(row(cell_.bias, gate) + i, count);
  }
  Vector sum(uint32_t gate, uint32_t i, uint32_t count) const {
    return load_some(row(cell_.sums, gate) + i, count) + bias(gate, i, count);
  }
  // Returns the peephole's part of a gate's sum: its weights times the state `c`.
  Vector seen(uint32_t gate, Vector c, uint32_t i, uint32_t count) const {
    if (cell_.peepholes == nullptr) return Vector{};
    return load_some(row(cell_.peepholes, gate) + i, count) * c;
  }

  Vector function(uint32_t which, Vector x) const {
    const FloatCellFunction& f = cell_.functions[which];
    x = greater_of(Vector{} - cell_.clip, less_of(Vector{} + cell_.clip, x));
    switch (f.kind) {
      case FloatCellFunctionKind::kSigmoid:
        return Sigmoid::of(x, 0, 0);
      case FloatCellFunctionKind::kTanh:
        return Tanh::of(x, 0, 0);
      case FloatCellFunctionKind::kRelu:
        return greater_of(Vector{}, x);
      case FloatCellFunctionKind::kAffine:
        return x * f.a + f.b;
      case FloatCellFunctionKind::kLeakyRelu:
        return LeakyRelu::of(x, f.a, 0);
      case FloatCellFunctionKind::kThresholdedRelu:
        return x <= f.a ? Vector{} : x;
      case FloatCellFunctionKind::kScaledTanh:
        return f.a * Tanh::of(x * f.b, 0, 0);
      case FloatCellFunctionKind::kHardSigmoid:
        return HardSigmoid::of(x, f.a, f.b);
    }
    return x;
  }

  const FloatCell& cell_;
};

void step_cell(FloatCellPart part, const FloatCell& cell) {
  const CellStep step(cell);
  switch (part) {
    case FloatCellPart::kRnn:
      return step.rnn();
    case FloatCellPart::kLstm:
      return step.lstm();
    case FloatCellPart::kGruReset:
      return step.gru_reset();
    case FloatCellPart::kGru:
      return step.gru();
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

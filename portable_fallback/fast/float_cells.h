// Describes a time step of a recurrent cell of floats to a kernel, as plain pointers and numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "portable_fallback/fast/float_products.h"

namespace arenite {

// sums[n] += sum over k of state[k] * w[k * w_k + n], for n < columns, in the order of k.
struct FloatStateProduct {
  const float* state;  // [depth]
  const float* w;
  float* sums;
  size_t w_k;
  uint32_t depth, columns;
};

// The functions of cells that kernels compute, in the order of CellFunctionKind. NaN stays NaN.
enum class FloatCellFunctionKind : uint8_t {
  kSigmoid,
  kTanh,
  kRelu,
  kAffine,           // a * x + b
  kLeakyRelu,        // a * x below 0
  kThresholdedRelu,  // 0 up to a
  kScaledTanh,       // a * tanh(b * x)
  kHardSigmoid,      // a * x + b, between 0 and 1
};

struct FloatCellFunction {
  FloatCellFunctionKind kind;
  float a, b;
};

// Describes one time step of a cell, from the sums of products to the next state. Rows have
// `hidden` floats, and the rows of a pointer lie side by side.
struct FloatCell {
  // lstm: i, o, f, c; gru: z, r, h; rnn: one row. Sums with the bias of the inputs' products.
  const float* sums;
  const float* bias;       // of the state's products, a row for each of sums, or null
  const float* peepholes;  // i, o, f of lstm, or null
  float* h;                // the state: the last one, then the next
  float* c;                // of lstm, likewise
  float* reset;            // of gru, see below
  uint32_t hidden;
  float clip;    // what goes into a function is limited to [-clip, clip]; infinite: it is not
  bool variant;  // lstm: f is 1 - i; gru: the reset gate multiplies the product
  FloatCellFunction functions[3];
};

// Selects the part of a time step that a call computes, and what it stores.
enum class FloatCellPart : uint8_t {
  kRnn,       // h
  kLstm,      // h and c
  kGruReset,  // reset = r * h; not of the variant
  kGru,       // h; of the variant, reset has the products of h's row with the state
};

struct FloatCellKernel {
  void (*add_inputs)(const FloatProducts& products, const FloatRange& range);
  void (*add_state)(const FloatStateProduct& product);
  void (*step)(FloatCellPart part, const FloatCell& cell);
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

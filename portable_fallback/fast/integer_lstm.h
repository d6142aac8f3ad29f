// Describes the cell of a quantized LSTM to kernels, which compute a time step of one sequence.
#pragma once

#include "core/access.h"
#include "portable_fallback/fast/integer_factor_dsp.h"

namespace arenite {

// Gates are those of input, forget, cell, output.
struct IntegerLstm {
  const int8_t* w;        // [gate, unit, inputs], elements of a row are neighbors
  const int8_t* r;        // [gate, unit, hidden], the same
  const int32_t* bias;    // [gate, unit]
  const uint16_t* table;  // 256 entries that follow each other
  size_t w_gate, w_unit;  // strides in elements
  size_t r_gate, r_unit;
  size_t bias_gate, bias_unit;
  uint32_t inputs, hidden;
  int32_t x_zero_point;
  FactorNumbers w_factors[4], r_factors[4];  // of each gate
  FactorNumbers kept, added;                 // of what the cell keeps and takes
  FactorNumbers result;
  int32_t tanh_multiplier;
  uint32_t tanh_shift;
  int32_t cell_clip;              // 0: none
  int32_t zero_point, low, high;  // of y and h
};

// A thread's memory.
struct LstmMemory {
  uint32_t* x;    // numbers of x
  uint32_t* h;    // numbers of the state
  int16_t* cell;  // [hidden]
  int8_t* state;  // [hidden]
};

// The elements of x that a time step reads, and those of y that it writes.
struct LstmRow {
  Src<int8_t> x;
  size_t x_step;
  Dst<int8_t> y;
  size_t y_step;
};

// Computes the cell and the state that follow, and writes the state to y too.
using LstmStep = void(const IntegerLstm& lstm, const LstmMemory& memory, const LstmRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

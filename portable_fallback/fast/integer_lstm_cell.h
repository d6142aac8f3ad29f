// A time step of a quantized LSTM over any kind of dot products: sums of all gates of some units,
// then their cells and results, which a class computes one after the other, or a kernel's own some
// at once:
//
//   static void scale_gate(lstm, gate, from, to): what goes into the function of a gate
//   static void finish_units(lstm, gates, count, cell, state)
#pragma once

#include "portable_fallback/fast/integer_lstm.h"

namespace arenite {
namespace {

constexpr uint32_t kUnitsAtOnce = 16;

// Between two entries of the table, kBits bits of the place; entries get as many fraction bits.
template <uint32_t kBits>
inline uint32_t interpolated(const uint16_t* table, uint32_t place) {
  const uint32_t low = table[place >> kBits];
  const uint32_t high = table[(place >> kBits) + 1];
  return (low << kBits) + (place & ((1u << kBits) - 1)) * (high - low);
}

constexpr uint32_t kLastPlace = 255;

// 1 / (1 + e^-x), x with 12 fraction bits: a 24th of the table is 512 / (3 * 2^12).
inline int32_t logistic(const uint16_t* table, int32_t x) {
  const int32_t scaled = x * 3;
  const auto place = static_cast<uint32_t>(scaled < 0 ? -scaled : scaled);
  const uint32_t result =
      (place >> 9) >= kLastPlace ? 0x7fffu << 10 : interpolated<9>(table, place);
  constexpr uint32_t kHalf = 1u << 9;
  const uint32_t moved = scaled >= 0 ? result + kHalf : (1u << 25) - result + kHalf - 1;
  return static_cast<int16_t>(moved >> 10);
}

// tanh(x) = 2 / (1 + e^(-2x)) - 1: the same table at twice the place, which `scaled` counts.
inline int32_t tanh_of_scaled(const uint16_t* table, int32_t scaled) {
  const auto magnitude = static_cast<uint32_t>(scaled < 0 ? -scaled : scaled);
  const uint32_t result =
      (magnitude >> 8) >= kLastPlace ? 0xffffu << 8 : interpolated<8>(table, magnitude);
  constexpr int32_t kOne = 1 << 23, kHalf = 1 << 7;
  const auto from_half = static_cast<int32_t>(result) - kOne;
  return static_cast<int16_t>((scaled >= 0 ? from_half + kHalf : kHalf - 1 - from_half) >> 8);
}

inline int32_t wrapped(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

// What goes into the function of each gate.
struct LstmGates {
  int16_t sums[4][kUnitsAtOnce];
};

// The products of some units' rows of weights, and their biases.
struct GateSums {
  int32_t of_x[kUnitsAtOnce], of_h[kUnitsAtOnce];
  const int32_t* bias;
  size_t bias_unit;  // elements between biases
  uint32_t count;
};

template <typename Dot, typename Cells>
inline void add_gates(const IntegerLstm& lstm, const LstmMemory& memory, uint32_t unit,
                      uint32_t count, LstmGates& gates) {
  for (uint32_t g = 0; g < 4; ++g) {
    GateSums sums;
    sums.bias = lstm.bias + g * lstm.bias_gate + unit * lstm.bias_unit;
    sums.bias_unit = lstm.bias_unit;
    sums.count = count;
    Dot::add_rows(memory.x, lstm.w + g * lstm.w_gate + unit * lstm.w_unit, lstm.w_unit, lstm.inputs,
                  count, sums.of_x);
    Dot::add_rows(memory.h, lstm.r + g * lstm.r_gate + unit * lstm.r_unit, lstm.r_unit, lstm.hidden,
                  count, sums.of_h);
    Cells::scale_gate(lstm, g, sums, gates.sums[g]);
  }
}

// One unit after the other.
struct EachCell {
  static void scale_gate(const IntegerLstm& lstm, uint32_t gate, GateSums& from, int16_t* to) {
    const int32_t* bias = from.bias;
    const TwiceRounded input(lstm.w_factors[gate]);
    for (uint32_t j = 0; j < from.count; ++j, bias += from.bias_unit) {
      from.of_x[j] = dsp::saturated_16(input(wrapped(from.of_x[j], *bias)));
    }
    const TwiceRounded recurrent(lstm.r_factors[gate]);
    for (uint32_t j = 0; j < from.count; ++j) {
      to[j] = static_cast<int16_t>(
          dsp::saturated_16(from.of_x[j] + dsp::saturated_16(recurrent(from.of_h[j]))));
    }
  }

  static void finish_units(const IntegerLstm& lstm, const LstmGates& gates, uint32_t count,
                           int16_t* cell, int8_t* state);
};

inline void EachCell::finish_units(const IntegerLstm& lstm, const LstmGates& gates, uint32_t count,
                                   int16_t* cell, int8_t* state) {
  // Copies: what is written could be the cell's own bytes.
  const uint16_t* const table = lstm.table;
  const int32_t clip = lstm.cell_clip != 0 ? lstm.cell_clip : 32768;
  const int32_t multiplier = lstm.tanh_multiplier;
  const uint32_t shift = lstm.tanh_shift;
  const int64_t half = shift != 0 ? int64_t{1} << (shift - 1) : 0;
  const int32_t zero_point = lstm.zero_point;
  const int32_t low = lstm.low - zero_point, high = lstm.high - zero_point;
  const TwiceRounded kept(lstm.kept), added(lstm.added), result(lstm.result);
  for (uint32_t j = 0; j < count; ++j) {
    const int32_t forget = logistic(table, gates.sums[1][j]);
    const int32_t old = dsp::saturated_16(kept(forget * cell[j]));
    const int32_t input = logistic(table, gates.sums[0][j]);
    const int32_t next = tanh_of_scaled(table, gates.sums[2][j] * 3);
    const int32_t sum = dsp::saturated_16(old + dsp::saturated_16(added(input * next)));
    const int32_t limited = limited_number(sum, -clip, clip);
    cell[j] = static_cast<int16_t>(limited);
    const int32_t scaled =
        shift == 0 ? limited * multiplier
                   : static_cast<int32_t>((int64_t{limited} * multiplier + half) >> shift);
    const int32_t output = logistic(table, gates.sums[3][j]);
    const int32_t number = result(tanh_of_scaled(table, scaled) * output);
    state[j] = static_cast<int8_t>(limited_number(number, low, high) + zero_point);
  }
}

template <typename Dot, typename Cells = EachCell>
inline void step_lstm(const IntegerLstm& lstm, const LstmMemory& memory, const LstmRow& row) {
  Dot::widen(memory.x, row.x, row.x_step, lstm.inputs, -lstm.x_zero_point);
  Dot::widen(memory.h, Src<int8_t>(memory.state), 1, lstm.hidden, -lstm.zero_point);
  Dst<int8_t> y = row.y;
  for (uint32_t unit = 0; unit < lstm.hidden; unit += kUnitsAtOnce) {
    const uint32_t left = lstm.hidden - unit;
    const uint32_t count = left < kUnitsAtOnce ? left : kUnitsAtOnce;
    LstmGates gates;
    add_gates<Dot, Cells>(lstm, memory, unit, count, gates);
    int8_t* const state = memory.state + unit;
    Cells::finish_units(lstm, gates, count, memory.cell + unit, state);
    for (uint32_t j = 0; j < count; ++j, y += row.y_step) *y = state[j];
  }
}

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

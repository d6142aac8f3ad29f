// Makes the multipliers of SVDF and LSTM, and the table of the logistic function.
#include "planner/fixed_point/lstm.h"

#include <algorithm>
#include <cmath>

namespace arenite::planner::tflite {
namespace {

constexpr float kGateScale = 1.0f / 4096;       // of what goes into a function
constexpr float kFunctionScale = 1.0f / 32768;  // of what comes out

void set(int32_t& multiplier, int32_t& shift, const Multiplier& factor) {
  multiplier = factor.multiplier;
  shift = factor.shift;
}

// The multiplier that turns a product of numbers with these scales into a number of scale `to`.
Multiplier product_multiplier(float a, float b, float to) { return conv_multiplier(a, b, to); }

}  // namespace

SvdfAttributes svdf_attributes(uint32_t rank, const Scaled& x, const Scaled& features,
                               const Scaled& times, const Scaled& state, const Scaled& y) {
  SvdfAttributes attributes = {};
  attributes.rank = rank;
  attributes.x_zero_point = x.zero_point;
  attributes.state_zero_point = state.zero_point;
  set(attributes.multipliers[0], attributes.shifts[0],
      quantized_multiplier(double{x.scale * features.scale / state.scale}));
  set(attributes.multipliers[1], attributes.shifts[1],
      quantized_multiplier(double{state.scale * times.scale / y.scale}));
  attributes.output = requantization({.y = y, .rounding = Rounding::kTfliteDouble});
  return attributes;
}

QuantizedLstmAttributes lstm_attributes(const LstmScales& scales, float cell_clip) {
  QuantizedLstmAttributes by = {};
  by.x_zero_point = scales.x.zero_point;
  for (size_t gate = 0; gate < 4; ++gate) {
    set(by.w_multipliers[gate], by.w_shifts[gate],
        matmul_multiplier(scales.x.scale, scales.weights[gate], kGateScale));
    set(by.r_multipliers[gate], by.r_shifts[gate],
        matmul_multiplier(scales.h.scale, scales.recurrent[gate], kGateScale));
  }
  set(by.cell_multipliers[0], by.cell_shifts[0],
      product_multiplier(kFunctionScale, scales.c.scale, scales.c.scale));
  set(by.cell_multipliers[1], by.cell_shifts[1],
      product_multiplier(kFunctionScale, kFunctionScale, scales.c.scale));
  set(by.h_multiplier, by.h_shift,
      product_multiplier(kFunctionScale, kFunctionScale, scales.h.scale));
  // The cell's scale counts as the power of two next to it; 3 times 12 fraction bits are a place of
  // the table.
  constexpr int32_t kFactor = 3, kFractionBits = 12, kBitsMost = 14;
  const float power = std::log(scales.c.scale) * (1.0f / std::log(2.0f));
  const auto bits = static_cast<int32_t>(std::clamp(std::round(power), -30.0f, 30.0f));
  const int32_t left = std::clamp(bits + kFractionBits, -30, kBitsMost);
  by.tanh_multiplier = left >= 0 ? kFactor << left : kFactor;
  by.tanh_shift = left >= 0 ? 0 : -left;
  by.cell_clip =
      static_cast<int32_t>(std::min(double{cell_clip} / double{scales.c.scale}, 32767.0));
  by.output = requantization({.y = scales.h, .rounding = Rounding::kTfliteDouble});
  return by;
}

// Interpolation between two entries falls short of a function that bends down. The entries are
// raised by about half of that, so that the error is the same above and below.
std::vector<uint16_t> logistic_at_24ths() {
  constexpr size_t kEntries = 256;
  constexpr double kPlaces = 24, kUnits = 65536, kGreatest = 65535, kRaised = 0.06;
  std::vector<uint16_t> table(kEntries);
  for (size_t i = 0; i < kEntries; ++i) {
    const double value = 1 / (1 + std::exp(-static_cast<double>(i) / kPlaces));
    const double bend = value * (1 - value) * (1 - 2 * value) / (kPlaces * kPlaces);
    table[i] = static_cast<uint16_t>(
        std::min(std::floor(kUnits * (value - kRaised * bend) + 0.5), kGreatest));
  }
  table.back() = static_cast<uint16_t>(kGreatest);
  return table;
}

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0

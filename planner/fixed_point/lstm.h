// The numbers of TensorFlow Lite's layers with state, made of scales as its kernels for
// microcontrollers make them.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/fixed_point/tflite.h"

namespace arenite::planner::tflite {

SvdfAttributes svdf_attributes(uint32_t rank, const Scaled& x, const Scaled& features,
                               const Scaled& times, const Scaled& state, const Scaled& y);

// Scales of quantized_lstm's operands; gates are i, f, c and o.
struct LstmScales {
  Scaled x, h, c;
  float weights[4], recurrent[4];
};
// cell_clip: a number, 0 for none.
QuantizedLstmAttributes lstm_attributes(const LstmScales& scales, float cell_clip);

// 256 entries: 1 / (1 + e^(-i / 24)) in units of 2^-16.
std::vector<uint16_t> logistic_at_24ths();

}  // namespace arenite::planner::tflite
// SPDX-License-Identifier: Apache-2.0

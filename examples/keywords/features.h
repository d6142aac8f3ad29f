// Gives the log-mel spectrum of sound as it arrives, by integers alone: the same bits on every
// machine.
#pragma once

#include <cstdint>

namespace features {

inline constexpr int kRate = 16000;  // samples a second
inline constexpr int kHop = 320;     // samples from one row to the next: 20 ms
inline constexpr int kWindow = 512;  // samples that a row is computed from: 32 ms
inline constexpr int kBands = 32;    // of the mel scale, 60 Hz to 7600 Hz
inline constexpr int kRows = 49;     // rows of one second: what the network looks at

// What is kept from one hop to the next, and what one row is computed in.
struct FrontEnd {
  std::int16_t samples[kWindow];   // the last ones, oldest first
  std::int32_t spectrum[kWindow];  // scratch: real and imaginary part in turn
};

// Takes the next kHop samples. `row`: kBands logarithms to base 2 of the energy in a band, in
// 1/256.
void next_row(FrontEnd& front_end, const std::int16_t* hop, std::int16_t* row);

// The network's input is (logarithm - kCenter) / kUnit.
inline constexpr int kCenter = 30 * 256;
inline constexpr int kUnit = 8 * 256;

}  // namespace features
// SPDX-License-Identifier: Apache-2.0

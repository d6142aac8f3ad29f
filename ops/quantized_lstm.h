// The operands of quantized_lstm, for its contract and its forms.
#pragma once

#include <cstdint>

namespace arenite {

enum QuantizedLstmInput : uint32_t {
  kLstmX,
  kLstmW,
  kLstmR,
  kLstmBias,
  kLstmH,
  kLstmC,
  kLstmTable
};
inline constexpr uint32_t kLstmGates = 4;  // i, f, c, o
inline constexpr uint32_t kLstmTableSize = 256;

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

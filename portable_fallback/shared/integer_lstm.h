// Serves the forms of quantized LSTMs: which steps they take, their memory, and the walk over the
// sequences whose time steps a kernel computes.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/integer_lstm.h"

namespace arenite {

bool takes_integer_lstm(const Step& step);
ScratchNeed integer_lstm_scratch(const Step& step);
inline uint64_t integer_lstm_distance(const Step&, uint32_t) { return kNoOverlap; }
Status run_integer_lstm(const Step& step, const Platform& platform, LstmStep* compute);

// The facts of forms that any of them stands for, by the number of the plainest kin.
constexpr Form integer_lstm_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .scratch = integer_lstm_scratch,
          .safe_distance = integer_lstm_distance,
          .accepts = takes_integer_lstm};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

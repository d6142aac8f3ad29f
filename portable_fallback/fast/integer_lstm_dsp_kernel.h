// Computes a time step of a quantized LSTM with Arm's DSP extension.
#pragma once

#include "portable_fallback/fast/integer_lstm.h"

namespace arenite {

void step_lstm_dsp(const IntegerLstm& lstm, const LstmMemory& memory, const LstmRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

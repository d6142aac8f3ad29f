// Computes a time step of a quantized LSTM with Arm's MVE.
#pragma once

#include "portable_fallback/fast/integer_lstm.h"

namespace arenite {

void step_lstm_mve(const IntegerLstm& lstm, const LstmMemory& memory, const LstmRow& row);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

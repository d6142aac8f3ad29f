// Time steps of quantized LSTMs, and units of layers of low rank, with the vectors that every
// 64-bit x86 and Arm has.
#pragma once

#include "portable_fallback/fast/integer_lstm.h"
#include "portable_fallback/fast/integer_svdf.h"

namespace arenite {

void step_lstm_base(const IntegerLstm& lstm, const LstmMemory& memory, const LstmRow& row);
void compute_svdf_base(const IntegerSvdf& svdf, const SvdfUnits& units);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Time steps of quantized LSTMs, and units of layers of low rank, with AVX2.
#pragma once

#include "portable_fallback/fast/integer_lstm.h"
#include "portable_fallback/fast/integer_svdf.h"

namespace arenite {

void step_lstm_avx2(const IntegerLstm& lstm, const LstmMemory& memory, const LstmRow& row);
void compute_svdf_avx2(const IntegerSvdf& svdf, const SvdfUnits& units);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

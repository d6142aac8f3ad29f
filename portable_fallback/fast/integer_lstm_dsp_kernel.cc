// A time step by dot products of pairs, four rows of weights at a time.
#include "portable_fallback/fast/integer_lstm_dsp_kernel.h"

#include "portable_fallback/fast/integer_dot_dsp.h"
#include "portable_fallback/fast/integer_lstm_cell.h"

namespace arenite {

void step_lstm_dsp(const IntegerLstm& lstm, const LstmMemory& memory, const LstmRow& row) {
  step_lstm<DspDot>(lstm, memory, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

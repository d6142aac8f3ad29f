// A time step by dot products of vectors, two rows of weights at a time.
#include "portable_fallback/fast/integer_lstm_mve_kernel.h"

#include "portable_fallback/fast/integer_dot_mve.h"
#include "portable_fallback/fast/integer_lstm_cell.h"

namespace arenite {

void step_lstm_mve(const IntegerLstm& lstm, const LstmMemory& memory, const LstmRow& row) {
  step_lstm<MveDot>(lstm, memory, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Compiles the cells of quantized LSTMs and layers of low rank for SSE2 or NEON.
#include "portable_fallback/fast/integer_cells_base_kernel.h"

#include "portable_fallback/fast/integer_dot_vectors.h"
#include "portable_fallback/fast/integer_lstm_cell.h"
#include "portable_fallback/fast/integer_svdf_units.h"

#if defined(__SSE2__) || defined(__aarch64__)

namespace arenite {

void step_lstm_base(const IntegerLstm& lstm, const LstmMemory& memory, const LstmRow& row) {
  step_lstm<VectorDot>(lstm, memory, row);
}

void compute_svdf_base(const IntegerSvdf& svdf, const SvdfUnits& units) {
  compute_svdf<VectorDot>(svdf, units);
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

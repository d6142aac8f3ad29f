// Compiles the cells of quantized LSTMs and layers of low rank for AVX2.
#include "portable_fallback/fast/integer_cells_avx2_kernel.h"

#include "portable_fallback/fast/integer_dot_vectors.h"
#include "portable_fallback/fast/integer_lstm_cell.h"
#include "portable_fallback/fast/integer_svdf_units.h"

#if defined(__AVX2__)

namespace arenite {

void step_lstm_avx2(const IntegerLstm& lstm, const LstmMemory& memory, const LstmRow& row) {
  step_lstm<VectorDot>(lstm, memory, row);
}

void compute_svdf_avx2(const IntegerSvdf& svdf, const SvdfUnits& units) {
  compute_svdf<VectorDot>(svdf, units);
}

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

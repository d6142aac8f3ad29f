// Compiles the quantization of floats for AVX2.
#include "portable_fallback/fast/integer_quantize_avx2_kernel.h"

#define ARENITE_VECTOR_BYTES 32
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/integer_quantize_loops.h"

namespace arenite {

void quantize_avx2(const QuantizeRun& run) { quantize_row(run); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

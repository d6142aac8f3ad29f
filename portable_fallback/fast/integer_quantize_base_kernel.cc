// Compiles the quantization of floats for SSE2 or NEON.
#include "portable_fallback/fast/integer_quantize_base_kernel.h"

#define ARENITE_VECTOR_BYTES 16
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/integer_quantize_loops.h"

namespace arenite {

void quantize_base(const QuantizeRun& run) { quantize_row(run); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

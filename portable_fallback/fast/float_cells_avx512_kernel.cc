// Compiles the time steps of recurrent cells for AVX-512.
#include "portable_fallback/fast/float_cells_avx512_kernel.h"

#if defined(__AVX512F__)

#define ARENITE_VECTOR_BYTES 64
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_cells_loops.h"

namespace arenite {

void add_cell_state_avx512(const FloatStateProduct& product) { add_state_product(product); }

void step_cell_avx512(FloatCellPart part, const FloatCell& cell) { step_cell(part, cell); }

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

// Compiles the time steps of recurrent cells for AVX2.
#include "portable_fallback/fast/float_cells_avx2_kernel.h"

#if defined(__AVX2__)

#define ARENITE_VECTOR_BYTES 32
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_cells_loops.h"

namespace arenite {

void add_cell_state_avx2(const FloatStateProduct& product) { add_state_product(product); }

void step_cell_avx2(FloatCellPart part, const FloatCell& cell) { step_cell(part, cell); }

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

// Compiles the time steps of recurrent cells for SSE2 or NEON.
#include "portable_fallback/fast/float_cells_base_kernel.h"

#if defined(__SSE2__) || defined(__aarch64__)

#define ARENITE_VECTOR_BYTES 16
#define ARENITE_TILE_ROWS 1
#define ARENITE_TILE_PANELS 1

#include "portable_fallback/fast/float_cells_loops.h"

namespace arenite {

void add_cell_state_base(const FloatStateProduct& product) { add_state_product(product); }

void step_cell_base(FloatCellPart part, const FloatCell& cell) { step_cell(part, cell); }

}  // namespace arenite

#endif
// SPDX-License-Identifier: Apache-2.0

// Time steps of recurrent cells of floats with AVX-512.
#pragma once

#include "portable_fallback/fast/float_cells.h"

namespace arenite {

void add_cell_state_avx512(const FloatStateProduct& product);
void step_cell_avx512(FloatCellPart part, const FloatCell& cell);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

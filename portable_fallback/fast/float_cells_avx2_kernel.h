// Time steps of recurrent cells of floats with AVX2 and FMA.
#pragma once

#include "portable_fallback/fast/float_cells.h"

namespace arenite {

void add_cell_state_avx2(const FloatStateProduct& product);
void step_cell_avx2(FloatCellPart part, const FloatCell& cell);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

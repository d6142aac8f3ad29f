// Time steps of recurrent cells of floats with vectors of four.
#pragma once

#include "portable_fallback/fast/float_cells.h"

namespace arenite {

void add_cell_state_base(const FloatStateProduct& product);
void step_cell_base(FloatCellPart part, const FloatCell& cell);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

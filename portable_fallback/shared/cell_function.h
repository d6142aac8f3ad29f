// The functions of recurrent cells.
#pragma once

#include <cstdint>

#include "ops/attributes.h"

namespace arenite {

// v[i] = function(v[i]) for i < count; NaN passes through.
void apply_cell_function(const CellFunction& function, float* v, uint32_t count);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

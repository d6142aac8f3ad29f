// Adds float products by Arm's MVE for floats.
#pragma once

#include "portable_fallback/fast/float_rows.h"

namespace arenite {

void add_float_rows_mve(const FloatRows& p, uint32_t line, uint32_t place, uint32_t end);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

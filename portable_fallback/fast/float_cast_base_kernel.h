// Casts to float32 with the vectors that every machine of an architecture has.
#pragma once

#include "portable_fallback/fast/float_cast.h"

namespace arenite {

void float_cast_base(const FloatCastRun& run);
void float_truncation_base(const FloatTruncation& run);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Turns floats into integers of 8 bits by plain loops, of which compilers make vectors.
#pragma once

#include "portable_fallback/fast/integer_quantize.h"

namespace arenite {

void quantize_base(const QuantizeRun& run);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Turns floats into integers of 8 bits with AVX2.
#pragma once

#include "portable_fallback/fast/integer_quantize.h"

namespace arenite {

void quantize_avx2(const QuantizeRun& run);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Functions of two floats with AVX2.
#pragma once

#include "portable_fallback/fast/float_binary.h"

namespace arenite {

void float_binary_avx2(FloatBinary function, const FloatBinaryRun& run);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

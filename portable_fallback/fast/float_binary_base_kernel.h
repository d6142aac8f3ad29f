// Functions of two floats with the vectors that every machine of an architecture has.
#pragma once

#include "portable_fallback/fast/float_binary.h"

namespace arenite {

void float_binary_base(FloatBinary function, const FloatBinaryRun& run);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Serves the forms of products of two inputs of 8 bits that float32 rounds: which steps they take,
// and a step as their kernels see it.
#pragma once

#include "core/step.h"
#include "portable_fallback/fast/integer_pairs_float.h"

namespace arenite {

// The form's types are those of 8 bits.
bool takes_float_pairs(const Step& step);
FloatPairs float_pairs(const Step& step);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Serves the forms of products of two inputs of 8 bits that are rounded once, halves to even: which
// steps they take, and a step as their kernels see it.
#pragma once

#include "core/step.h"
#include "portable_fallback/fast/integer_pairs_even.h"

namespace arenite {

// The form's types are those of 8 bits.
bool takes_even_pairs(const Step& step);
EvenPairs even_pairs(const Step& step);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

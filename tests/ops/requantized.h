// Requantization by its definition: shares no code with kernels.
#pragma once

#include "ops/attributes.h"
#include "tests/ops/numbers.h"

namespace arenite::ops_test {

// A whole sum times multiplier * 2^(shift - 31).
struct Requantized {
  Number sum;
  Number multiplier;  // in [0, 2^31)
  Number shift;
  bool wide = false;  // the sum has 64 bits
};

// Rounded to a whole number, saturated to 32 bits.
Number rounded_product(const Requantized& product, Rounding rounding);
// Moved by the zero point, within the limits.
Number finished_product(const Requantized& product, const Requantization& output);

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

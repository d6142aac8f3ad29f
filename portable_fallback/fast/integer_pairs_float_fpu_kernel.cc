// One conversion to float32, one product and one conversion that rounds.
#include "portable_fallback/fast/integer_pairs_float_fpu_kernel.h"

namespace arenite {

void multiply_pairs_float_fpu(const FloatPairs& by, const IntegerPairRow& row) {
  by.is_unsigned ? multiply_float_each<uint8_t>(by, row) : multiply_float_each<int8_t>(by, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

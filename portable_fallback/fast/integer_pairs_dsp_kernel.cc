// One pair after the other, by products whose upper half alone is made.
#include "portable_fallback/fast/integer_pairs_dsp_kernel.h"

namespace arenite {

void multiply_pairs_dsp(const IntegerPairs& by, const IntegerPairRow& row) {
  multiply_each(by, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

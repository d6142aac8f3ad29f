// Four pairs at a time, in lanes of 32 bits, where elements are neighbors or one serves all.
#include "portable_fallback/fast/integer_pairs_mve_kernel.h"

#include "portable_fallback/fast/integer_factor_mve.h"
#include "portable_fallback/fast/integer_pairs_mve.h"

namespace arenite {

void multiply_pairs_mve(const IntegerPairs& by, const IntegerPairRow& row) {
#if defined(__ARM_FEATURE_MVE) && defined(__OPTIMIZE__)
  const FourPairs<TwiceRoundedFour> four = {TwiceRoundedFour(by.factor),
                                            by.flip,
                                            {by.added[0], by.added[1]},
                                            by.zero_point,
                                            by.low,
                                            by.high};
  if (multiply_fours(four, row)) return;
#endif
  multiply_each(by, row);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

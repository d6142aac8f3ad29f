// One pair after the other, by products whose upper half alone is made.
#include "portable_fallback/fast/int16_pairs_dsp_kernel.h"

#include "portable_fallback/fast/int16_pairs_each.h"

namespace arenite {

void multiply_int16_dsp(const Int16Factor& by, const Int16PairRow& row) { multiply_each(by, row); }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Units by dot products of pairs, two features at a time.
#include "portable_fallback/fast/integer_svdf_dsp_kernel.h"

#include "portable_fallback/fast/integer_dot_dsp.h"
#include "portable_fallback/fast/integer_svdf_units.h"

namespace arenite {

void compute_svdf_dsp(const IntegerSvdf& svdf, const SvdfUnits& units) {
  compute_svdf<DspDot>(svdf, units);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

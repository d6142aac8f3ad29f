// Units by dot products of vectors, two features at a time.
#include "portable_fallback/fast/integer_svdf_mve_kernel.h"

#include "portable_fallback/fast/integer_dot_mve.h"
#include "portable_fallback/fast/integer_svdf_units.h"

namespace arenite {

void compute_svdf_mve(const IntegerSvdf& svdf, const SvdfUnits& units) {
  compute_svdf<MveDot>(svdf, units);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Serves the forms of layers of low rank of integers: which steps they take, their memory, and the
// walk over the units that a kernel computes.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/integer_svdf.h"

namespace arenite {

bool takes_integer_svdf(const Step& step);
ScratchNeed integer_svdf_scratch(const Step& step);
inline uint64_t integer_svdf_distance(const Step&, uint32_t) { return kNoOverlap; }
Status run_integer_svdf(const Step& step, const Platform& platform,
                        void (*compute)(const IntegerSvdf& svdf, const SvdfUnits& units));

// The facts of forms that any of them stands for, by the number of the plainest kin.
constexpr Form integer_svdf_facts(uint8_t plainest) {
  return {.parallel = true,
          .kin = plainest,
          .scratch = integer_svdf_scratch,
          .safe_distance = integer_svdf_distance,
          .accepts = takes_integer_svdf};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

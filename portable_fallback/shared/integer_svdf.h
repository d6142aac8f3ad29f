// Serves the forms of layers of low rank of integers: which steps they take, their memory, and the
// walk over the units that a kernel computes.
#pragma once

#include "core/form.h"
#include "core/step.h"
#include "portable_fallback/fast/integer_svdf.h"

namespace arenite {

bool takes_integer_svdf(const Step& step);
ScratchNeed integer_svdf_scratch(const Step& step);
Status run_integer_svdf(const Step& step, const Platform& platform,
                        void (*compute)(const IntegerSvdf& svdf, const SvdfUnits& units));

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Tells which CPU features of a board file no form of a step can use.
#pragma once

#include "core/cpu_features.h"

namespace arenite::planner {

// The features among `have` that no form needs whose other needs are there too. A feature that
// `have` names in a second way is no such: `neon` and `sse4_1` beside `f32x4` or `avx2`.
CpuFeatures unused_features(CpuFeatures have);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

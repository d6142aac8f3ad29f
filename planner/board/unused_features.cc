// Looks through the rows of all forms for those that a CPU can run.
#include "planner/board/unused_features.h"

#include "portable_fallback/forms.h"

namespace arenite::planner {

CpuFeatures unused_features(CpuFeatures have) {
  CpuFeatures used = 0;
  for (const FormRow& row : kFormRows) {
    if ((row.needs & ~have) == 0) used |= row.needs;
  }
  if ((used & (cpu_features::kF32x4 | cpu_features::kAvx2)) != 0) {
    used |= cpu_features::kNeon | cpu_features::kSse41;
  }
  return have & ~used;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

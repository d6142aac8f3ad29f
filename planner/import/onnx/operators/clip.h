// What Clip and Relu have in common.
#pragma once

#include "core/types.h"

namespace arenite::planner {

// Types whose bounds may be given as float32 attributes.
bool is_float(DType type);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

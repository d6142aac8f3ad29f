// The types whose bounds Clip and Relu give as float32 attributes.
#pragma once

#include "core/types.h"

namespace arenite::planner {

// Types whose bounds may be given as float32 attributes.
bool is_float(DType type);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

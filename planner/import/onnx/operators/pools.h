// Reads the windows of MaxPool and AveragePool.
#pragma once

#include <vector>

#include "ops/attributes.h"
#include "planner/import/model/op_context.h"

namespace arenite::planner {

struct Pool {
  PoolAttributes attributes{};
  Dims dims;  // of the output
};

// Reads kernel_shape, ceil_mode and the window attributes for input 0, of rank 3 to 5.
Pool read_pool(OpContext& context);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

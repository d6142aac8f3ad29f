// The sliding window of convolutions and pools: strides, dilations, padding, and how many steps it
// makes.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/import/model/op_context.h"

namespace arenite::planner {

// One entry a spatial dimension.
struct Windows {
  std::vector<uint32_t> kernel, stride, dilation, pad_begin, pad_end;
  Dims steps;  // the output's dims
};

// Reads strides, dilations, pads and auto_pad. `ceil_mode` rounds the number of steps up, but no
// window starts in the padding at the end.
Windows read_windows(OpContext& context, const Dims& spatial, const std::vector<int64_t>& kernel,
                     bool ceil_mode);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Settles the sliding window of convolutions and pools: every auto_pad becomes numbers.
#include "planner/import/onnx/operators/windows.h"

#include <algorithm>

#include "planner/graph/names.h"
#include "planner/import/onnx/operators/shapes.h"

namespace arenite::planner {
Windows read_windows(OpContext& context, const Dims& spatial, const std::vector<int64_t>& kernel,
                     bool ceil_mode) {
  const size_t rank = spatial.size();
  if (kernel.size() != rank) {
    context.fail_attribute("kernel_shape", "expected " + std::to_string(rank) + " numbers, found " +
                                               std::to_string(kernel.size()));
  }
  Windows windows;
  for (const int64_t size : kernel) {
    windows.kernel.push_back(attribute_word(context, "kernel_shape", size, 1));
  }
  for (const int64_t stride : attribute_numbers(context, "strides", rank, 1, 1)) {
    windows.stride.push_back(static_cast<uint32_t>(stride));
  }
  for (const int64_t dilation : attribute_numbers(context, "dilations", rank, 1, 1)) {
    windows.dilation.push_back(static_cast<uint32_t>(dilation));
  }
  const std::vector<int64_t> pads = attribute_numbers(context, "pads", 2 * rank, 0, 0);
  const std::string auto_pad = context.string_attribute("auto_pad", "NOTSET");
  const bool same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  if (!same && auto_pad != "NOTSET" && auto_pad != "VALID" && !auto_pad.empty()) {
    context.fail_attribute("auto_pad", "is '" + printable(auto_pad) +
                                           "', expected NOTSET, VALID, SAME_UPPER or SAME_LOWER");
  }
  for (size_t i = 0; i < rank; ++i) {
    const Dim size = spatial[i];
    const int64_t stride = windows.stride[i];
    const int64_t reach = (int64_t{windows.kernel[i]} - 1) * windows.dilation[i] + 1;
    int64_t begin = 0;
    int64_t end = 0;
    Dim steps = 0;
    if (same) {
      steps = ceil_div(size, stride);
      const int64_t total =
          baked(max((steps - 1) * stride + reach - size, 0), "the padding of auto_pad");
      begin = auto_pad == "SAME_UPPER" ? total / 2 : total - total / 2;
      end = total - begin;
    } else {
      if (auto_pad != "VALID") {
        begin = pads[i];
        end = pads[rank + i];
      }
      const Dim room = size + begin + end - reach;
      if (room < 0) {
        context.fail("the window of " + std::to_string(reach) + " (kernel " +
                     dims_text(windows.kernel) + ", dilations " + dims_text(windows.dilation) +
                     ") is larger than the padded input of " + dim_text(size + begin + end) +
                     " in spatial dimension " + std::to_string(i));
      }
      steps = (ceil_mode ? ceil_div(room, stride) : room / stride) + 1;
      if (ceil_mode && (steps - 1) * stride >= size + begin) steps -= 1;
    }
    if (steps <= 0) {
      context.fail("spatial dimension " + std::to_string(i) + " of input has no elements");
    }
    windows.pad_begin.push_back(attribute_word(context, "pads", begin, 0));
    windows.pad_end.push_back(attribute_word(context, "pads", end, 0));
    windows.steps.push_back(steps);
  }
  return windows;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

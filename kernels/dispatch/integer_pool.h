// Windows of integers, through integer_pool.comp.
#pragma once

#include "kernels/dispatch/builder.h"
#include "kernels/shaders/integer_pool.h"

namespace arenite {

// Names the function of a window's elements.
using WindowResult = shaders::IntegerPool::WindowResult;

struct IntegerWindows {
  WindowResult result;
  const uint32_t *kernel, *stride, *dilation, *pad_begin;  // of three axes
  int32_t x_zero_point = 0, multiplier = 0, shift = 0;
  Requantization output = {};
};

// x is [N, C, D, H, W]; with kCounted, input 1 holds the multipliers.
Status emit_integer_pool(const Step& step, const IntegerWindows& pool, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

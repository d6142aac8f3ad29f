// Windows of integers, through integer_pool.comp.
#pragma once

#include "kernels/dispatch/builder.h"

namespace arenite {

// kScaling of the shader: what becomes of a window's elements.
enum class WindowResult : uint32_t { kMean = 0, kOneMultiplier = 1, kCounted = 2, kGreatest = 3 };

struct IntegerPool {
  WindowResult result;
  const uint32_t *kernel, *stride, *dilation, *pad_begin;  // of three axes
  int32_t x_zero_point = 0, multiplier = 0, shift = 0;
  Requantisation output = {};
};

// Of x [N, C, D, H, W]; of kCounted input 1 holds the multipliers.
Status emit_integer_pool(const Step& step, const IntegerPool& pool, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The walk of elementwise forms of up to three inputs of different types, element by element.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"
#include "core/platform.h"
#include "portable_fallback/shared/loop.h"

namespace arenite {

// Operations of a result of two integers, each of its own scale: some 60 instructions on a
// Cortex-M4.
inline constexpr uint32_t kWorkOfScaledPair = 32;

// The common loop of output 0 (operand 0) and the first `inputs` inputs (operands 1 to 3), those
// left out with strides of 0; of rank 0 when there is nothing to do.
NestedLoop elementwise_loop(const Step& step, uint32_t inputs);

// The safe distance of an input in that loop, all inputs being read before the output is written.
uint64_t elementwise_distance(const Step& step, uint32_t input, uint32_t inputs);

// A row of the loop: `count` elements, each operand's a stride of bytes behind the one before; null
// where left out.
struct ElementwiseRow {
  Dst<std::byte> y;
  Src<std::byte> inputs[3];
  ptrdiff_t y_step;
  ptrdiff_t steps[3];
  uint32_t count;
};
using ElementwiseFunction = void (*)(const void* context, const ElementwiseRow& row);

struct Elementwise {
  ElementwiseFunction row;
  const void* context;
  uint32_t inputs;    // 1 to 3
  uint32_t work = 1;  // operations an element
};
Status run_elementwise(const Step& step, const Platform& platform, const Elementwise& what);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The loops of forms that do the elements along some axes together: they read all of these, some
// times over, and then write each result after having read its element.
#pragma once

#include <cstdint>

#include "core/step.h"
#include "portable_fallback/shared/loop.h"

namespace arenite {

struct AxisRows {
  // Rows of output 0 and input 0, of the same dims, along the axes whose bits are set. Outputs 1
  // and 2, if any, have dims of 1 there.
  AxisRows(const Step& step, uint32_t axes_set);

  NestedLoop kept;     // operands: output 0, input 0, outputs 1 and 2
  NestedLoop axes;     // output 0 and input 0; in logical order
  bool empty = false;  // no elements along the axes
  bool none = false;   // none to keep

  uint32_t count() const { return none ? 0 : kept.size(); }
};

// The safe distance of input 0; of rows along one axis, `piece` elements are read before any of
// them is written.
uint64_t axis_rows_distance(const Step& step, uint32_t axes_set, uint32_t piece = 1);

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0

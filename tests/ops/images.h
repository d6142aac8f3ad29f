// Cases of images that lie otherwise: input 0 and output 0 of operators that take channels last.
#pragma once

#include "tests/ops/case.h"

namespace arenite::ops_test {

inline OpCase in_planes(OpCase c) {
  c.name += "_in_planes";
  c.inputs[0].order.clear();
  c.outputs[0].order.clear();
  return c;
}

inline OpCase planes_to_channels(OpCase c) {
  c.name += "_from_planes";
  c.inputs[0].order.clear();
  return c;
}

inline OpCase with_margins(OpCase c) {
  c.name += "_with_margins";
  c.inputs[0].margin = 4;
  c.outputs[0].margin = 1;
  return c;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

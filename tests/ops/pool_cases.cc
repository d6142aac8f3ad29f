// Windows that both pools are tried with.
#include "tests/ops/pool_cases.h"

namespace arenite::ops_test {

std::vector<PoolGeometry> pool_geometries() {
  return {
      {.name = "square2", .x = {1, 16, 1, 6, 8}, .kernel = {1, 2, 2}, .stride = {1, 2, 2}},
      {.name = "square3_padded",
       .x = {2, 5, 1, 7, 9},
       .kernel = {1, 3, 3},
       .begin = {0, 1, 1},
       .end = {0, 1, 1}},
      {.name = "uneven",
       .x = {1, 17, 1, 9, 11},
       .kernel = {1, 2, 5},
       .stride = {1, 3, 2},
       .begin = {0, 1, 3},
       .end = {0, 0, 1}},
      {.name = "ceil",
       .x = {1, 3, 1, 6, 7},
       .kernel = {1, 3, 3},
       .stride = {1, 2, 2},
       .ceil = true},
      {.name = "ceil_padded",
       .x = {1, 33, 1, 6, 7},
       .kernel = {1, 3, 4},
       .stride = {1, 2, 3},
       .begin = {0, 1, 1},
       .end = {0, 1, 2},
       .ceil = true},
      {.name = "dilation",
       .x = {1, 4, 1, 11, 12},
       .kernel = {1, 3, 2},
       .stride = {1, 2, 1},
       .dilation = {1, 2, 4},
       .begin = {0, 2, 1},
       .end = {0, 1, 3}},
      {.name = "one_dimensional",
       .x = {3, 7, 1, 1, 23},
       .kernel = {1, 1, 4},
       .stride = {1, 1, 3},
       .begin = {0, 0, 2},
       .end = {0, 0, 1}},
      {.name = "three_dimensional",
       .x = {1, 6, 5, 6, 7},
       .kernel = {2, 3, 2},
       .stride = {2, 1, 3},
       .dilation = {2, 1, 1},
       .begin = {1, 1, 0},
       .end = {1, 0, 1}},
      {.name = "whole_input", .x = {1, 20, 1, 7, 7}, .kernel = {1, 7, 7}},
      {.name = "one_element", .x = {1, 1, 1, 1, 1}},
      {.name = "large", .x = {1, 48, 1, 31, 29}, .kernel = {1, 3, 3}, .stride = {1, 2, 2}},
      {.name = "no_images", .x = {0, 3, 1, 5, 5}, .kernel = {1, 2, 2}},
      {.name = "no_channels", .x = {1, 0, 1, 5, 5}, .kernel = {1, 2, 2}},
  };
}

namespace {

uint32_t output_dim(const PoolGeometry& g, uint32_t d) {
  const uint32_t stride = g.stride[d];
  const uint32_t reach = (g.kernel[d] - 1) * g.dilation[d] + 1;
  const uint32_t free = g.x[2 + d] + g.begin[d] + g.end[d] - reach;
  const uint32_t count = (free + (g.ceil ? stride - 1 : 0)) / stride + 1;
  // No window may start in the padding behind the input.
  const bool beyond = (count - 1) * stride >= g.x[2 + d] + g.begin[d];
  return g.ceil && beyond ? count - 1 : count;
}

}  // namespace

OpCase pool_case(const PoolGeometry& g) {
  OpCase c;
  c.name = g.name;
  PoolAttributes a = {};
  for (uint32_t d = 0; d < 3; ++d) {
    a.kernel[d] = g.kernel[d];
    a.stride[d] = g.stride[d];
    a.dilation[d] = g.dilation[d];
    a.pad_begin[d] = g.begin[d];
    a.pad_end[d] = g.end[d];
  }
  std::vector<uint32_t> y = g.x;
  for (uint32_t axis = 0; axis < 3; ++axis) y[2 + axis] = output_dim(g, axis);
  c.attributes = words(a);
  c.inputs = {channels_last(tensor(g.x))};
  c.outputs = {channels_last(tensor(y))};
  return c;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

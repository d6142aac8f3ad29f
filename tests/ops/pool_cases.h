// What the cases of both pools share: geometry, and output dims by ONNX's formula.
#pragma once

#include <vector>

#include "tests/ops/case.h"

namespace arenite::ops_test {

struct PoolGeometry {
  const char* name;
  std::vector<uint32_t> x;  // [N, C, D, H, W]
  uint32_t kernel[3] = {1, 1, 1};
  uint32_t stride[3] = {1, 1, 1};
  uint32_t dilation[3] = {1, 1, 1};
  uint32_t begin[3] = {};
  uint32_t end[3] = {};
  bool ceil = false;
};

std::vector<PoolGeometry> pool_geometries();

// Channels last.
OpCase pool_case(const PoolGeometry& geometry);

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

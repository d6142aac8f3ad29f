// Weights in panels of 16 outputs: the check that they hold what their dims promise.
#pragma once

#include <cstdint>

#include "portable_fallback/block.h"
#include "portable_fallback/check.h"

namespace arenite {

// Whether `weights`, if in panels, has the bytes of `n` outputs over `k` inner indices.
inline bool panels_hold(const Tensor& weights, uint32_t n, uint64_t k) {
  if (weights.layout != Layout::kPanel16) return true;
  const uint64_t elements = bounded_product(bounded_product(k, blocks_of(n)), kBlock);
  return bounded_product(elements, sizeof(float)) <= weights.bytes;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

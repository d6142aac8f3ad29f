// Reads the tables of joined steps' results (ops/result_tables.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/step.h"
#include "ops/requantization.h"
#include "portable_fallback/shared/integer_block.h"

namespace arenite {

// The element of table `which` that takes the place of a result of the tables' type.
inline int32_t element_for(const Tensor& tables, uint32_t which, int32_t result) {
  const IntegerRow row(tables, size_t{which} * tables.strides[0], tables.strides[1]);
  return static_cast<int32_t>(row[static_cast<uint32_t>(result - range_of(tables.dtype()).low)]);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

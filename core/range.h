// Compares ranges with the storage they lie in, without a sum that could wrap around.
#pragma once

#include <cstdint>

namespace arenite {

constexpr bool within(uint32_t first, uint32_t count, uint32_t size) {
  return count <= size && first <= size - count;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Compares ranges with the storage they lie in, without a sum that could wrap around.
#pragma once

#include <cstdint>

namespace arenite {

constexpr bool within(uint32_t first, uint32_t count, uint32_t size) {
  return count <= size && first <= size - count;
}

// Of an address; `alignment` is a power of two.
inline bool is_aligned(const void* data, uint32_t alignment) {
  return (reinterpret_cast<uintptr_t>(data) & (alignment - 1)) == 0;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

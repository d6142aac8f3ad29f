// Compares ranges with the storage they lie in, without a sum that could wrap around.
#pragma once

#include <cstdint>
#include <type_traits>

namespace arenite {

constexpr bool within(uint32_t first, uint32_t count, uint32_t size) {
  return count <= size && first <= size - count;
}

// Whether an address is a multiple of `alignment`, which is a power of two.
inline bool is_aligned(const void* data, uint32_t alignment) {
  return (reinterpret_cast<uintptr_t>(data) & (alignment - 1)) == 0;
}

// `offset` rounded up to a multiple of `alignment`, which may be any number above 0.
template <typename Number>
constexpr Number align_up(Number offset, std::type_identity_t<Number> alignment) {
  if (alignment == 1) return offset;  // a division less where nothing is aligned
  const Number rest = offset % alignment;
  return rest == 0 ? offset : offset + (alignment - rest);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

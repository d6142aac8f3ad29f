// The pointer types through which kernels read and write tensors.
#pragma once

#include <cstddef>
#include <cstring>

namespace arenite {

template <typename T>
using Src = const T*;
template <typename T>
using Dst = T*;

// The same bytes as elements of another type.
template <typename T>
Src<T> as(const std::byte* from) {
  return static_cast<const T*>(static_cast<const void*>(from));
}
template <typename T>
Dst<T> as(std::byte* to) {
  return static_cast<T*>(static_cast<void*>(to));
}

// Copies from and to memory that is no tensor's.
template <typename T>
void take(T* to, Src<T> from, size_t count) {
  std::memcpy(to, from, count * sizeof(T));
}
template <typename T>
void put(Dst<T> to, const T* from, size_t count) {
  std::memcpy(to, from, count * sizeof(T));
}

// The ranges may overlap.
inline void move_bytes(Dst<std::byte> to, Src<std::byte> from, size_t bytes) {
  std::memmove(to, from, bytes);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

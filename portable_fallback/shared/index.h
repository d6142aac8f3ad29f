// Indices that are data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/step.h"

namespace arenite {

// Reads an int32 or int64 tensor at an offset in elements.
inline int64_t read_index(const Tensor& indices, ptrdiff_t offset) {
  return indices.dtype() == DType::kInt32 ? int64_t{indices.read<int32_t>()[offset]}
                                          : int64_t{indices.read<int64_t>()[offset]};
}

// The index counted from the start, negative ones from the end of `size`; `size` where it lies
// outside.
inline uint32_t resolved_index(int64_t index, uint32_t size) {
  if (index < 0) index += size;
  return index < 0 || index >= size ? size : static_cast<uint32_t>(index);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

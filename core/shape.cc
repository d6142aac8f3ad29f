// What a tensor's dims and strides say about its storage.
#include "core/shape.h"

namespace arenite {

uint64_t element_count(const Tensor& tensor) {
  uint64_t count = 1;
  for (uint32_t d = 0; d < tensor.rank; ++d) {
    count *= tensor.dims[d];
  }
  return count;
}

uint64_t extent_bytes(const Tensor& tensor) {
  uint64_t last = 0;
  bool empty = false;
  for (uint32_t d = 0; d < tensor.rank; ++d) {
    if (tensor.dims[d] == 0) {
      empty = true;
    } else if ((last >> 32) == 0) {
      // At most (2^32 - 1) + (2^32 - 2) * (2^32 - 1): no overflow.
      last += uint64_t{tensor.dims[d] - 1} * tensor.strides[d];
    }
  }
  if (empty) {
    return 0;
  }
  return (last >> 32) != 0 ? last : (last + 1) * element_bytes(tensor.dtype);
}

uint64_t dense_bytes(const Tensor& tensor) {
  return element_count(tensor) * element_bytes(tensor.dtype);
}

bool element_count_fits(const Tensor& tensor) {
  uint64_t count = 1;
  for (uint32_t d = 0; d < tensor.rank; ++d) {
    count *= tensor.dims[d] != 0 ? tensor.dims[d] : 1;
    if (count > kMaxElements) {
      return false;
    }
  }
  return true;
}

bool is_row_major(const Tensor& tensor) {
  if (tensor.layout != Layout::kStrided) {
    return false;
  }
  uint64_t stride = 1;
  for (uint32_t d = tensor.rank; d-- > 0;) {
    if (tensor.dims[d] != 1 && tensor.strides[d] != stride) {
      // Nothing lies anywhere in an empty tensor.
      return element_count(tensor) == 0;
    }
    stride *= tensor.dims[d];
  }
  return true;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

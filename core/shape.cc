// What a tensor's dims and strides say about its storage.
#include "core/shape.h"

namespace arenite {
namespace {

struct Marks {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// The bytes of each period that hold elements of a strided value, in `marks`; false when elements
// lie across a period's end, or at other places from one period to the next.
bool find_marks(const Tensor& tensor, uint32_t offset, uint64_t period, Marks& marks) {
  const uint32_t element = element_bytes(tensor.dtype);
  marks.begin = offset % period;
  marks.end = marks.begin + element;
  for (uint32_t d = 0; d < tensor.rank; ++d) {
    const uint64_t stride = uint64_t{tensor.strides[d]} * element;
    if (tensor.dims[d] == 1 || (stride != 0 && stride % period == 0)) {
      continue;
    }
    // The value lies in its storage, so that this is less than 2^32.
    marks.end += (tensor.dims[d] - 1) * stride;
    if (stride > period) {
      return false;
    }
  }
  return marks.end <= period;
}

}  // namespace

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

bool share_no_element(const Tensor& a, uint32_t a_offset, const Tensor& b, uint32_t b_offset) {
  if (element_count(a) == 0 || element_count(b) == 0) {
    return true;
  }
  if (a.layout != Layout::kStrided || b.layout != Layout::kStrided) {
    return false;
  }
  // The last period is longer than any storage: it compares the ranges as they are.
  for (uint32_t i = 0; i <= uint32_t{a.rank} + b.rank; ++i) {
    uint64_t period = uint64_t{1} << 40;
    if (i < a.rank) {
      period = uint64_t{a.strides[i]} * element_bytes(a.dtype);
    } else if (i < uint32_t{a.rank} + b.rank) {
      period = uint64_t{b.strides[i - a.rank]} * element_bytes(b.dtype);
    }
    Marks x;
    Marks y;
    if (period != 0 && find_marks(a, a_offset, period, x) && find_marks(b, b_offset, period, y) &&
        (x.end <= y.begin || y.end <= x.begin)) {
      return true;
    }
  }
  return false;
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

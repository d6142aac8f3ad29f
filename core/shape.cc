// Counts elements and measures extents with sums of (dim - 1) * stride, in 64 bits where they can
// wrap.
#include "core/shape.h"

#include <cstring>

namespace arenite {
namespace {

// The bytes from the first to the last that a strided value holds in a period, if these are the
// same in each period. The value lies in its storage, so that no sum reaches 2^32.
uint32_t stretch(const Tensor& tensor, uint32_t period) {
  const uint32_t element = element_bytes(tensor.dtype());
  uint32_t bytes = element;
  for (uint32_t d = 0; d < tensor.rank(); ++d) {
    const uint32_t stride = tensor.strides[d] * element;
    if (tensor.dims[d] != 1 && (stride == 0 || stride % period != 0)) {
      bytes += (tensor.dims[d] - 1) * stride;
    }
  }
  return bytes;
}

// Whether strides rise from the last dim to the first, or from the second, which channels are, and
// then from the last, each beyond what those before it reach together: values mostly lie so.
bool strides_rise(const uint32_t* dims, uint32_t rank) {
  const uint32_t* strides = dims + rank;
  uint32_t reached = 0;
  uint32_t channels = rank;
  if (rank > 2 && strides[1] == 1) {
    channels = 1;
    reached = dims[1] - 1;
  }
  for (uint32_t d = rank; d-- > 0;) {
    if (dims[d] <= 1 || d == channels) continue;
    if (strides[d] <= reached) return false;
    reached += (dims[d] - 1) * strides[d];
  }
  return true;
}

// Whether no two elements of a strided value lie in the same place: by each dim they are further
// apart than all that the dims of smaller strides reach together. `dims`: those of a value in its
// storage that is not empty, its strides behind them.
bool strides_apart(const uint32_t* dims, uint32_t rank) {
  if (strides_rise(dims, rank)) {
    return true;
  }
  const uint32_t* strides = dims + rank;
  for (uint32_t d = 0; d < rank; ++d) {
    if (dims[d] <= 1) {
      continue;
    }
    uint32_t reached = 0;
    for (uint32_t e = 0; e < rank; ++e) {
      // Two dims of the same stride meet each other.
      if (e != d && dims[e] > 1 && strides[e] <= strides[d]) {
        reached += (dims[e] - 1) * strides[e];
      }
    }
    if (strides[d] <= reached) {
      return false;
    }
  }
  return true;
}

}  // namespace

static_assert(kMaxElements == (uint32_t{1} << 31) - 1);

uint64_t element_count(const Tensor& tensor) {
  uint64_t count = 1;
  for (uint32_t d = 0; d < tensor.rank(); ++d) {
    count *= tensor.dims[d];
  }
  return count;
}

Blocks blocks_of(const Tensor& weights) {
  if (weights.layout() == Layout::kPanel16) {
    return with_bits(kPanel16Blocks, element_bytes(weights.dtype()));
  }
  return blocks_of_word(blocks_word(weights.strides, weights.rank()));
}

uint64_t extent_bytes(const Tensor& tensor) {
  uint64_t last = 0;
  bool empty = false;
  for (uint32_t d = 0; d < tensor.rank(); ++d) {
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
  return (last >> 32) != 0 ? last : (last + 1) * element_bytes(tensor.dtype());
}

bool holds_elements(const format::ElementsRecord& record, const uint32_t* dims, uint32_t element,
                    bool apart) {
  const uint32_t rank = record.rank;
  const uint32_t room = record.bytes / element;
  const bool strided = record.layout == static_cast<uint8_t>(Layout::kStrided);
  // Biases and factors of channels, most of all: dims[1] is the stride.
  if (rank == 1 && strided && dims[1] == 1) {
    return dims[0] <= room && dims[0] <= kMaxElements;
  }
  uint32_t count = 1;  // dims of 0 taken as 1
  // No sum can wrap: all dims less 1 add up to less than their product, which is below 2^31.
  uint64_t last = 0;
  bool empty = false;
  const uint32_t* at = dims;
  for (uint32_t left = rank; left != 0; --left, ++at) {
    const uint32_t dim = *at;
    if (dim > 1) {
      const uint64_t more = uint64_t{count} * dim;
      if ((more >> 31) != 0) {
        return false;
      }
      count = static_cast<uint32_t>(more);
      last += uint64_t{dim - 1} * at[rank];
    } else if (dim == 0) {
      empty = true;
    }
  }
  if (record.layout == static_cast<uint8_t>(Layout::kPacked4)) {
    if (element != 1) {
      return false;
    }
    last /= 2;
  } else if (!strided) {
    if (rank < 2) {
      return false;
    }
    return empty || count <= room || record.layout == static_cast<uint8_t>(Layout::kBlocked);
  }
  return empty || (last < room && (!apart || strides_apart(dims, rank)));
}

uint64_t dense_bytes(const format::ElementsRecord& record, const uint32_t* dims) {
  uint32_t count = 1;
  for (uint32_t left = record.rank; left != 0; --left) {
    count *= *dims++;
  }
  if (record.layout == static_cast<uint8_t>(Layout::kPacked4)) {
    return (count + 1) / 2;
  }
  return uint64_t{count} * element_bytes(static_cast<DType>(record.dtype));
}

bool elements_apart(const Bindings& bindings, uint32_t operand) {
  if (!format::is_constant(operand) && format::owns_bytes(bindings.values[operand])) {
    return true;
  }
  const format::ElementsRecord& record = elements_of(bindings, operand);
  const uint32_t* dims = bindings.shapes + record.shape;
  return holds_elements(record, dims, element_bytes(static_cast<DType>(record.dtype)), true);
}

bool same_elements(const format::ElementsRecord& a, const uint32_t* a_dims,
                   const format::ElementsRecord& b, const uint32_t* b_dims) {
  // Dims, then strides.
  return a.dtype == b.dtype && a.layout == b.layout && a.rank == b.rank &&
         std::memcmp(a_dims, b_dims, 8u * a.rank) == 0;
}

bool share_no_element(const Tensor& a, uint32_t a_offset, const Tensor& b, uint32_t b_offset) {
  if (a_offset < b_offset) {
    return share_no_element(b, b_offset, a, a_offset);
  }
  if (a.layout() != Layout::kStrided || b.layout() != Layout::kStrided) {
    return false;
  }
  // Periods begin where b does: a must lie between b's stretch and the next period.
  for (uint32_t d = 0; d <= b.rank(); ++d) {
    // The last period is no shorter than any storage: it compares the ranges as they are.
    const uint32_t period =
        d == b.rank() ? UINT32_MAX : b.strides[d] * uint32_t{element_bytes(b.dtype())};
    if (period != 0) {
      const uint32_t begin = (a_offset - b_offset) % period;
      if (begin >= stretch(b, period) && stretch(a, period) <= period - begin) {
        return true;
      }
    }
  }
  return false;
}

bool is_row_major(const Tensor& tensor) {
  if (tensor.layout() != Layout::kStrided) {
    return false;
  }
  uint64_t stride = 1;
  for (uint32_t d = tensor.rank(); d-- > 0;) {
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

// Facts of a tensor's storage that follow from its dims and strides.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/step.h"

namespace arenite {

// Most elements a value may have, dims of 0 counted as 1: kernels may count them in 31 bits.
inline constexpr uint32_t kMaxElements = 0x7fffffffu;

inline ptrdiff_t signed_stride(const Tensor& tensor, uint32_t d) {
  return static_cast<ptrdiff_t>(tensor.strides[d]);
}

// The blocks of weights in one of the layouts in blocks that keep their operator's contract.
Blocks blocks_of(const Tensor& weights);

// Bytes from the first element to the end of the last one its dims and strides reach; 0 when a dim
// is 0; at least 2^32 when they leave any possible storage.
uint64_t extent_bytes(const Tensor& tensor);

// Whether the record's bytes hold every element (of `element` bytes, as its type says) that it can
// address, at most kMaxElements; with `apart`, in bytes of its own, be they somewhere else. Of
// blocks, which are padded to whole ones, only an operator's check knows how many there are: here,
// a matrix at least and, of panels, no fewer bytes than elements. `dims`: the record's, its strides
// behind them.
bool holds_elements(const format::ElementsRecord& record, const uint32_t* dims, uint32_t element,
                    bool apart);

// Bytes of the elements, were they stored one after another, packed as they are. For at most
// kMaxElements.
uint64_t dense_bytes(const format::ElementsRecord& record, const uint32_t* dims);
inline uint64_t dense_bytes(const Tensor& tensor) {
  return dense_bytes(*tensor.record, tensor.dims);
}

// Whether each element of an operand has bytes of its own. Elements of values that own their bytes
// have: Program::open saw to it.
bool elements_apart(const Bindings& bindings, uint32_t operand);

// Whether two records say the same of their elements, wherever these lie: as few instructions as
// words, since loading compares many.
inline bool same_but_place(const format::ElementsRecord& a, const format::ElementsRecord& b) {
  static_assert(offsetof(format::ElementsRecord, place) == 3 &&
                offsetof(format::ElementsRecord, shape) == 4 &&
                offsetof(format::ElementsRecord, bytes) == 12);
  const auto* x = static_cast<const uint32_t*>(static_cast<const void*>(&a));
  const auto* y = static_cast<const uint32_t*>(static_cast<const void*>(&b));
  // The place is the last byte of the first word.
  return x[1] == y[1] && x[3] == y[3] && (x[0] ^ y[0]) << 8 == 0;
}

// Whether both have the same dims, strides and type: their elements lie in the same places.
bool same_elements(const format::ElementsRecord& a, const uint32_t* a_dims,
                   const format::ElementsRecord& b, const uint32_t* b_dims);
inline bool same_elements(const Tensor& a, const Tensor& b) {
  return same_elements(*a.record, a.dims, *b.record, b.dims);
}

// Whether two values that start `offset` bytes into the same storage provably share none: of every
// period of so many bytes, for one of the strides of the lower one, each touches a stretch of its
// own (parts of a concatenation). For values that lie in their storage.
bool share_no_element(const Tensor& a, uint32_t a_offset, const Tensor& b, uint32_t b_offset);

// Whether the strides are those of a dense row-major tensor; those of dims of 1 may be anything.
bool is_row_major(const Tensor& tensor);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

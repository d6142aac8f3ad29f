// Weights in blocks of any size, read as if they lay in rows, [n][k]: the one way in which
// reference forms read them.
#pragma once

#include "core/shape.h"
#include "portable_fallback/shared/block.h"

namespace arenite {

// Whether a step's weights lie in no blocks, or in `wanted`, or where that says nothing in any,
// that make sense and that their bytes hold. For `accepts` of forms: a contract does not look at
// blocks.
bool takes_blocks(const Step& step, const Blocks& wanted);
inline bool takes_any_blocks(const Step& step) { return takes_blocks(step, {}); }

// Weights from an element on, as numbers of type T: float or int32_t.
template <typename T>
struct BlockedRows {
  Src<std::byte> data = nullptr;
  Blocks blocks;
  DType dtype = DType::kNone;
  uint32_t depth = 0;  // inner indices of each output
  size_t at = 0;

  T operator[](size_t i) const;
  BlockedRows operator+(size_t elements) const {
    BlockedRows moved = *this;
    return moved += elements;
  }
  BlockedRows& operator+=(size_t elements) {
    at += elements;
    return *this;
  }

  // Where element i of the rows lies, in elements.
  size_t place(size_t i) const {
    return place_of(blocks, depth, static_cast<uint32_t>((at + i) / depth),
                    static_cast<uint32_t>((at + i) % depth));
  }
};
template <>
float BlockedRows<float>::operator[](size_t i) const;
template <>
int32_t BlockedRows<int32_t>::operator[](size_t i) const;

// Floats of any type in blocks, for templates over the type of weights.
struct InBlocks {};
template <>
struct WeightsOf<InBlocks> {
  using Reader = BlockedRows<float>;
  static constexpr bool kInRows = true;
  static Reader from(const Tensor& w, size_t at);
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Weights in blocks of any size, read as if they lay in rows, [n][k]: the one way in which
// reference forms read them.
#pragma once

#include "core/shape.h"
#include "portable_fallback/shared/block.h"

namespace arenite {

// Whether a step's weights lie in blocks of any size, or in `wanted`, that make sense and that
// their bytes hold. For `accepts` of forms: a contract does not look at blocks.
bool takes_blocks(const Step& step, const Blocks& wanted);
inline bool takes_any_blocks(const Step& step) { return takes_blocks(step, {}); }

// Weights from an element on.
struct BlockedRows {
  Src<std::byte> data = nullptr;
  Blocks blocks;
  DType dtype = DType::kNone;
  uint32_t depth = 0;  // inner indices of each output
  size_t at = 0;

  // Where element i of the rows lies, in elements.
  size_t place(size_t i) const {
    return place_of(blocks, depth, static_cast<uint32_t>((at + i) / depth),
                    static_cast<uint32_t>((at + i) % depth));
  }
};

struct BlockedFloats : BlockedRows {
  float operator[](size_t i) const;
  BlockedFloats operator+(size_t elements) const {
    BlockedFloats moved = *this;
    return moved += elements;
  }
  BlockedFloats& operator+=(size_t elements) {
    at += elements;
    return *this;
  }
};

struct BlockedIntegers : BlockedRows {
  int32_t operator[](size_t i) const;
  BlockedIntegers operator+(size_t elements) const {
    BlockedIntegers moved = *this;
    return moved += elements;
  }
  BlockedIntegers& operator+=(size_t elements) {
    at += elements;
    return *this;
  }
};

// Floats of any type in blocks, for templates over the type of weights.
struct InBlocks {};
template <>
struct WeightsOf<InBlocks> {
  using Reader = BlockedFloats;
  static constexpr bool kInRows = true;
  static Reader from(const Tensor& w, size_t at);
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

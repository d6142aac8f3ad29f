// Elements of any type in shaders, which see words: their types as specialization constants, and
// who writes results that are no words (kernels/glsl/include/elements.glsl, each_element.glsl).
#pragma once

#include "core/contract.h"
#include "kernels/dispatch/builder.h"
#include "kernels/shaders/shared/elements.h"

namespace arenite {

// The types that shaders compute with, and those of them that are no floats.
inline constexpr TypeSet kIntegerElements = types::kQuantizedOrSum | types::kBool;
inline constexpr TypeSet kElements = types::kFloat32 | kIntegerElements;
inline bool is_element(const Operand& operand) { return has(kElements, operand.dtype); }
// The numbers that elements.glsl has for them; any other type has that of its size.
inline uint32_t element_type(const Operand& operand) {
  using shaders::ElementType;
  const uint32_t bytes = element_bytes(operand.dtype);
  const ElementType type = is_float(operand) ? ElementType::kFloat
                           : bytes == 1      ? ElementType::kBool
                           : bytes == 2      ? ElementType::kHalf
                                             : ElementType::kInt;
  return static_cast<uint32_t>(type);
}

// Elements of eight bytes are two words each to shaders that only move them.
inline uint32_t words_each(const Operand& operand) {
  return element_bytes(operand.dtype) == 8 ? 2u : 1u;
}
// Operand::skip, in words where an element is two: these need not be aligned to eight bytes.
inline uint32_t skip_of(const Operand& operand) {
  return words_each(operand) == 2 ? operand.skip_bytes / 4 : operand.skip;
}

// The count of invocations, and the elements that each writes.
struct Stores {
  uint32_t kind;  // kStore of each_element.glsl, its specialization constant 0
  uint64_t invocations;
};

// For results `y` of loops in which it is operand `operand`, whose first element is the y_skip-th
// of the bound range. Elements of less than a word that lie in the order of the loops are written
// a word at a time.
Stores stores_of(const Operand& y, const Loops& loops, uint32_t operand, uint32_t y_skip);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

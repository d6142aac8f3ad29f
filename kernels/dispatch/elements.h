// Elements of float32, int32 and bool in shaders: their types as specialisation constants, and who
// writes results that are no words (kernels/glsl/include/elements.glsl).
#pragma once

#include "kernels/dispatch/builder.h"

namespace arenite {

// The types that elements.glsl knows.
inline bool is_element(const Operand& operand) {
  return is_float(operand) || operand.dtype == DType::kInt32 || operand.dtype == DType::kBool;
}
// Its numbers of them: any other type is a word, or a byte.
inline uint32_t element_type(const Operand& operand) {
  return is_float(operand) ? 0u : element_bytes(operand.dtype) == 1 ? 2u : 1u;
}

// Which invocations there are, and what each writes.
struct Stores {
  uint32_t kind;  // kStore of elements.glsl, its specialisation constant 0
  uint64_t invocations;
};

// For results `y` of loops in which it is operand `operand`, whose first element is the y_skip-th
// of the bound range. Bytes that lie in the order of the loops are written four at a time.
Stores stores_of(const Operand& y, const Loops& loops, uint32_t operand, uint32_t y_skip);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The types for cases of operators that move elements.
#pragma once

#include <vector>

#include "tests/ops/case.h"

namespace arenite::ops_test {

// A type of each element size, and floats.
struct MovedType {
  DType dtype;
  const char* suffix;
};
inline constexpr MovedType kMovedTypes[] = {{DType::kFloat32, ""},
                                            {DType::kInt8, "_int8"},
                                            {DType::kFloat16, "_float16"},
                                            {DType::kInt64, "_int64"},
                                            {DType::kBool, "_bool"}};

// The case with all operands but the listed inputs of another type.
inline OpCase of_type(OpCase c, const MovedType& type, uint32_t inputs_kept = 0) {
  c.name += type.suffix;
  const auto change = [&](Operand& operand) {
    operand.dtype = type.dtype;
    if (!is_float(type.dtype)) {
      operand = ranged(operand, type.dtype == DType::kBool ? 0 : -100,
                       type.dtype == DType::kBool ? 1 : 100);
    }
  };
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    if ((inputs_kept >> i & 1u) == 0) change(c.inputs[i]);
  }
  for (Operand& operand : c.outputs) change(operand);
  return c;
}

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

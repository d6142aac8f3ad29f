// The small vocabulary of programs: element types, layouts, operators.
#pragma once

#include <cstdint>

#include "include/arenite/types.h"

namespace arenite {

inline constexpr uint32_t kMaxRank = 8;

// "float32"; "unknown" for a number that is no element type.
const char* text_of(DType type);

// The arrangement of a value's elements in its bytes.
enum class Layout : uint8_t {
  kStrided =
      0,  // element (i0, i1, ...) lies at sum(i_d * stride_d); strides are never negative, may be 0
  // Weights in panels of 16 outputs, zero-padded: output n, inner index k lies at
  // (n/16 * K + k) * 16 + n%16. Conv weights [O, I, KH, KW] (groups = 1): n = o, k = (kh*KW + kw)*I
  // + i. MatMul's right side [..1.., K, N]: n = column, k = row. Strides are ignored (stored as 0).
  kPanel16 = 1,
  // Strided elements of int8 and uint8 in a range of 4 bits, two a byte: those at an even place in
  // the lower half. Those of int8 are in two's complement.
  kPacked4 = 2,
};
inline constexpr uint32_t kPanelWidth = 16;

// The operator that a step runs; the numbers are those of schema/ops.def.
enum class Op : uint16_t {
#define ARENITE_OP(number, name, Type, family, types) k##Type = number,
#include "schema/ops.def"
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The small vocabulary of programs: element types, layouts, operators.
#pragma once

#include <cstdint>

namespace arenite {

inline constexpr uint32_t kMaxRank = 8;

// Element types, numbered as in ONNX's TensorProto.
enum class DType : uint8_t {
  kNone = 0,
  kFloat32 = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kBool = 9,
  kFloat16 = 10,
  kFloat64 = 11,
  kUint32 = 12,
  kUint64 = 13,
  kBfloat16 = 16,
};

// Bytes of one element; 0 for an unknown type.
constexpr uint32_t element_bytes(DType type) {
  switch (type) {
    case DType::kUint8:
    case DType::kInt8:
    case DType::kBool:
      return 1;
    case DType::kUint16:
    case DType::kInt16:
    case DType::kFloat16:
    case DType::kBfloat16:
      return 2;
    case DType::kFloat32:
    case DType::kInt32:
    case DType::kUint32:
      return 4;
    case DType::kFloat64:
    case DType::kInt64:
    case DType::kUint64:
      return 8;
    case DType::kNone:
      break;
  }
  return 0;
}

// How a value's elements lie in its bytes.
enum class Layout : uint8_t {
  kStrided =
      0,  // element (i0, i1, ...) lies at sum(i_d * stride_d); strides are never negative, may be 0
  // Weights in panels of 16 outputs, zero-padded: output n, inner index k lies at
  // (n/16 * K + k) * 16 + n%16. Conv weights [O, I, KH, KW] (groups = 1): n = o, k = (kh*KW + kw)*I
  // + i. MatMul's right side [..1.., K, N]: n = column, k = row. Strides are ignored (stored as 0).
  kPanel16 = 1,
};
inline constexpr uint32_t kPanelWidth = 16;

// Which kind of operator a step runs; numbers of schema/ops.def.
enum class Op : uint16_t {
#define ARENITE_KERNEL_OP(number, name, Type, shader) k##Type = number,
#define ARENITE_VIEW_OP(number, name, Type) k##Type = number,
#include "schema/ops.def"
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

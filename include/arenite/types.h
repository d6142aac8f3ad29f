// The element types of tensors.
#pragma once

#include <cstdint>

namespace arenite {

// Element types, numbered as in ONNX's TensorProto.
enum class DType : std::uint8_t {
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
constexpr std::uint32_t element_bytes(DType type) {
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

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The name of each element type: linked only by who asks for it.
#include "core/types.h"

namespace arenite {

const char* text_of(DType type) {
  switch (type) {
    case DType::kFloat32:
      return "float32";
    case DType::kUint8:
      return "uint8";
    case DType::kInt8:
      return "int8";
    case DType::kUint16:
      return "uint16";
    case DType::kInt16:
      return "int16";
    case DType::kInt32:
      return "int32";
    case DType::kInt64:
      return "int64";
    case DType::kBool:
      return "bool";
    case DType::kFloat16:
      return "float16";
    case DType::kFloat64:
      return "float64";
    case DType::kUint32:
      return "uint32";
    case DType::kUint64:
      return "uint64";
    case DType::kBfloat16:
      return "bfloat16";
    case DType::kNone:
      break;
  }
  return "unknown";
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

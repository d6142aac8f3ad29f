// From an element type known at run time to code for it: for the types of a set, and no others.
#pragma once

#include <cstdint>

#include "core/contract.h"
#include "core/types.h"

namespace arenite {

// Calls visit.operator()<T>() with the C++ type of `type`, which the set must have. bool and the
// 16-bit floats are seen as the unsigned integers that hold their bits.
template <TypeSet kTypes, typename F>
void for_type(DType type, F visit) {
#define ARENITE_CASE(dtype, T)                 \
  case DType::dtype:                           \
    if constexpr (has(kTypes, DType::dtype)) { \
      visit.template operator()<T>();          \
    }                                          \
    break;
  switch (type) {
    ARENITE_CASE(kFloat32, float)
    ARENITE_CASE(kFloat64, double)
    ARENITE_CASE(kUint8, uint8_t)
    ARENITE_CASE(kInt8, int8_t)
    ARENITE_CASE(kUint16, uint16_t)
    ARENITE_CASE(kInt16, int16_t)
    ARENITE_CASE(kUint32, uint32_t)
    ARENITE_CASE(kInt32, int32_t)
    ARENITE_CASE(kUint64, uint64_t)
    ARENITE_CASE(kInt64, int64_t)
    ARENITE_CASE(kBool, uint8_t)
    ARENITE_CASE(kFloat16, uint16_t)
    ARENITE_CASE(kBfloat16, uint16_t)
    case DType::kNone:
      break;
  }
#undef ARENITE_CASE
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// From an element type known at run time to code for it: for the types of a set, and no others.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/contract.h"
#include "core/types.h"
#include "portable_fallback/shared/small_float.h"

namespace arenite {

// Calls visit.operator()<T>() with the C++ type of `type`, which the set must have: with these for
// the 16-bit floats, and uint8_t for bool.
template <TypeSet kTypes, typename Float16, typename Bfloat16, typename F>
void for_type_with(DType type, F visit) {
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
    ARENITE_CASE(kFloat16, Float16)
    ARENITE_CASE(kBfloat16, Bfloat16)
    case DType::kNone:
      break;
  }
#undef ARENITE_CASE
}

// 16-bit floats are seen as their bits.
template <TypeSet kTypes, typename F>
void for_type(DType type, F visit) {
  for_type_with<kTypes, uint16_t, uint16_t>(type, visit);
}

// A 16-bit float in memory: computed as a float32, of which it is the nearest.
template <SmallFloatFormat kFormat>
class SmallFloat {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor)
  SmallFloat(float value) : bits_(double_to_small<kFormat>(static_cast<double>(value))) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  operator float() const { return small_to_float<kFormat>(bits_); }

 private:
  uint16_t bits_;
};

// 16-bit floats are seen as numbers.
template <TypeSet kTypes, typename F>
void for_number(DType type, F visit) {
  for_type_with<kTypes, SmallFloat<kFloat16Format>, SmallFloat<kBfloat16Format>>(type, visit);
}

// The type of arithmetic on elements of type T.
template <typename T>
using Computed = std::conditional_t<std::is_arithmetic_v<T>, T, float>;

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

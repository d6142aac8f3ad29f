// What cases of quantised operators have in common: types, results, multipliers.
#pragma once

#include <string>
#include <vector>

#include "tests/ops/case.h"
#include "tests/ops/numbers.h"

namespace arenite::ops_test {

struct NamedRounding {
  Rounding rounding;
  const char* name;
};
inline constexpr NamedRounding kRoundings[] = {{Rounding::kTfliteDouble, "tflite_double"},
                                               {Rounding::kTfliteSingle, "tflite_single"},
                                               {Rounding::kHalfEven, "half_even"}};

inline constexpr NamedType kActivationTypes[] = {
    {DType::kInt8, "int8"}, {DType::kUint8, "uint8"}, {DType::kInt16, "int16"}};

// All of the type's results.
inline Requantisation whole_range(Rounding rounding, DType type, int32_t zero_point) {
  return {rounding, zero_point, static_cast<int32_t>(lowest_of(type)),
          static_cast<int32_t>(highest_of(type))};
}

// Any number of the type, the ends among them.
inline Operand any_of_type(std::vector<uint32_t> dims, DType type) {
  const double low = static_cast<double>(lowest_of(type));
  const double high = static_cast<double>(highest_of(type));
  return with_specials(ranged(tensor(std::move(dims), type), low, high),
                       {lowest_of(type), highest_of(type)});
}

// A zero point that is none of the ends, 0 where factors must have it.
inline int32_t zero_point_of(DType type) {
  return type == DType::kUint8 ? 121 : type == DType::kInt8 ? -7 : 0;
}

}  // namespace arenite::ops_test

// SPDX-License-Identifier: Apache-2.0

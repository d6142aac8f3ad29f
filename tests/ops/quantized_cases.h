// Parts that cases of quantized operators share: types, results, multipliers.
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
                                               {Rounding::kHalfEven, "half_even"},
                                               {Rounding::kFloat32, "float32"}};

inline constexpr NamedType kActivationTypes[] = {
    {DType::kInt8, "int8"}, {DType::kUint8, "uint8"}, {DType::kInt16, "int16"}};

// All of the type's results.
inline Requantization whole_range(Rounding rounding, DType type, int32_t zero_point) {
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

// Two operands and a result of one type and one shape, whose attributes say all but the rounding.
template <typename A>
OpCase pair_case(std::string name, const std::vector<uint32_t>& dims, DType type, Rounding rounding,
                 A attributes) {
  attributes.output = whole_range(rounding, type, type == DType::kUint8 ? 30 : 2);
  OpCase c;
  c.name = std::move(name);
  c.attributes = words(attributes);
  c.inputs = {any_of_type(dims, type), any_of_type(dims, type)};
  c.outputs = {tensor(dims, type)};
  return c;
}

// build(name, dims, type, rounding) of every type and rule.
template <typename F>
std::vector<OpCase> pairs_of_every_type(F build) {
  std::vector<OpCase> cases;
  for (const NamedType& type : kActivationTypes) {
    for (const NamedRounding& rounding : kRoundings) {
      cases.push_back(build(std::string(type.name) + "_" + rounding.name, {3, 5, 41}, type.dtype,
                            rounding.rounding));
    }
  }
  return cases;
}

// Images whose channels are innermost, the second operand repeated over these dims.
template <typename F>
OpCase pair_of_images(F build, uint32_t repeated) {
  OpCase images = build("images", {2, 3, 7, 5}, DType::kInt8, Rounding::kTfliteDouble);
  for (Operand* operand : {&images.inputs[0], &images.inputs[1], &images.outputs[0]}) {
    *operand = channels_last(std::move(*operand));
  }
  images.inputs[1].repeated = repeated;
  return images;
}

// The same, images, and dims none, empty and many.
template <typename F>
std::vector<OpCase> cases_of_pairs(F build, uint32_t repeated_of_images) {
  std::vector<OpCase> cases = pairs_of_every_type(build);
  cases.push_back(pair_of_images(build, repeated_of_images));
  cases.push_back(build("scalar", {}, DType::kUint8, Rounding::kHalfEven));
  cases.push_back(build("empty", {0, 3}, DType::kUint8, Rounding::kHalfEven));
  cases.push_back(build("large", {1, 3, 40, 64}, DType::kInt8, Rounding::kTfliteDouble));
  return cases;
}

}  // namespace arenite::ops_test

// SPDX-License-Identifier: Apache-2.0

// Parts that cases and oracles of quantized convolutions and matrix products share.
#pragma once

#include <string>
#include <vector>

#include "ops/attributes.h"
#include "ops/quantized.h"
#include "tests/ops/case.h"

namespace arenite::ops_test {

struct QuantizedTypes {
  DType x, w, y;
};

inline constexpr QuantizedTypes kBytes = {DType::kInt8, DType::kInt8, DType::kInt8};
inline constexpr QuantizedTypes kUnsigned = {DType::kUint8, DType::kUint8, DType::kUint8};

// "int8_uint8_int16"
std::string name_of(const QuantizedTypes& types);

// All numbers of an integer type.
Operand whole_range(Operand operand);

// Limits, zero point and rounding of a result.
Requantization output_of(DType y, Rounding rounding = Rounding::kTfliteDouble);

// Adds bias, multipliers and shifts of dims `ends`, such that sums of `count` products use the
// result's range.
void add_ends(OpCase& c, const QuantizedTypes& types, const std::vector<uint32_t>& ends,
              uint64_t count);

// One operand [3, outputs]: biases, multipliers and shifts such that sums of `count` products of
// bytes use the range of bytes.
Operand channel_ends(uint32_t outputs, uint64_t count);

// Each number of a type of bytes once, in no order; an odd `step` leads from each to the next.
std::vector<Number> shuffled_bytes(DType type, uint32_t step);
// Two tables of such numbers, [2, 256].
Operand shuffled_tables(DType type);

// Computes quantized_conv of inputs 0 to 2 of a case: x, w and such ends.
std::vector<Numbers> conv_with_ends_oracle(const OpCase& c, const QuantizedConvAttributes& conv,
                                           const std::vector<Numbers>& inputs);

// Other operands, by the numbers of their inputs.
OpCase with_input(OpCase c, const char* name, uint32_t input, Operand operand);
// A bias of 32 bits, its ends among the numbers; also with shifts of sums that wrap, and with any.
OpCase with_bias_of_32_bits(OpCase c);
OpCase wrapping_ends(OpCase c);
OpCase wrapping_any(OpCase c);
// A case whose results are the sums themselves.
OpCase as_sums(OpCase c);

template <typename A>
OpCase with_rounding(OpCase c, const char* name, Rounding rounding) {
  return with<A>(std::move(c), name, [&](A& attributes) { attributes.output.rounding = rounding; });
}

// The same with weights of 4 bits, two a byte, in that order of dims (as they are where it is
// empty).
OpCase packed(OpCase c, std::vector<uint32_t> order = {});

// Element `index` of an operand that may be left out (then `otherwise`) or be one for all.
Number end_of(const OpCase& c, const std::vector<Numbers>& inputs, uint32_t input, uint64_t index,
              Number otherwise);
// The result of the products' sum: with its bias, wrapped, requantized.
Number quantized_result(const OpCase& c, const std::vector<Numbers>& inputs, uint64_t index,
                        Number sum, const Requantization& output);

}  // namespace arenite::ops_test
// SPDX-License-Identifier: Apache-2.0

// Quantized values in shaders: types with signs, and the dispatch of integer.comp, which does
// operators of them element by element.
#pragma once

#include "kernels/dispatch/elements.h"
#include "kernels/shaders/shared/integers.h"
#include "kernels/shaders/shared/requantize.h"
#include "kernels/shaders/shared/result_tables.h"
#include "kernels/shaders/shared/scaled_sum.h"
#include "ops/requantization.h"

namespace arenite {

// As kernels/glsl/include/integers.glsl has them, of integers of up to four bytes; of others their
// element_type.
inline uint32_t integer_type(const Operand& operand) {
  const DType type = operand.dtype;
  const bool is_signed = type == DType::kInt8 || type == DType::kInt16 || type == DType::kInt32;
  return element_type(operand) | (is_signed ? shaders::kSigned : 0u);
}

inline shaders::OutputWords output_words(const Requantization& output) {
  return {.output_zero_point = output.zero_point, .low = output.low, .high = output.high};
}

inline shaders::ScaledSumWords scaled_sum_words(const QuantizedAddAttributes& sum) {
  return {.zero_points = sum.zero_points,
          .multipliers = sum.multipliers,
          .shifts = sum.shifts,
          .left_shift = sum.left_shift,
          .sum_kind = sum.kind};
}

// The words of two tables of results.
inline shaders::ResultTables table_words(const Operand& tables) {
  return {.tables_skip = tables.skip,
          .tables_strides = shaders::first_of(tables.strides),
          .lowest = range_of(tables.dtype).low};
}

// The words of integer.comp's parameter block that an operator's attributes fill.
struct IntegerWords {
  int32_t zero_points[2] = {};
  int32_t multipliers[3] = {}, shifts[3] = {};
  uint32_t left_shift = 0;
  SumKind sum_kind = SumKind::kSum;
  int32_t zero_point = 0, low = 0, high = 0;  // of the result
  uint32_t table_stride = 0;
  int32_t lowest = 0;  // number of a table
};

struct IntegerWork {
  // Inputs that are walked beside the first, kNoIndex for none: of `a` and `b` of the shader.
  uint32_t a = kNoIndex, b = kNoIndex;
  bool table = false;    // a is one, and not walked
  bool between = false;  // and read between its places
  uint32_t type_b = 0;
  Rounding rounding = Rounding::kTfliteDouble;
  IntegerWords words = {};
};

IntegerWords words_of(const Requantization& output);

// The work on two operands of integers, with the zero points and output of `attributes`;
// multipliers and shifts are left to the operator.
template <typename Attributes>
IntegerWork work_of_pair(const Step& step, const Attributes& attributes) {
  IntegerWork work;
  work.a = 1;
  work.type_b = integer_type(input_operand(step, 1));
  work.rounding = attributes.output.rounding;
  work.words = words_of(attributes.output);
  for (uint32_t i = 0; i < 2; ++i) work.words.zero_points[i] = attributes.zero_points[i];
  return work;
}

Status emit_integers(const Step& step, const IntegerWork& work, const DispatchSink& sink);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

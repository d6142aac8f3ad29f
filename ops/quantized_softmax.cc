// The contract of quantized_softmax: shares of exponentials, of integers.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/lookup.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

// Operand `i` is a table of this type, of `rows` rows.
Status check_table(const Step& step, uint32_t i, DType type, uint32_t rows, uint32_t columns) {
  if (!step.has_input(i)) return error(Code::kBadOperandCount);
  const Tensor table = step.input(i);
  if (table.dtype() != type) return input_error(step, Code::kBadType, i);
  const bool good = rows == 1
                        ? table.rank() == 1 && table.dims[0] == columns
                        : table.rank() == 2 && table.dims[0] == rows && table.dims[1] == columns;
  return good ? ok_status() : input_error(step, Code::kBadShape, i);
}

Status check_variant(const Step& step, const QuantizedSoftmaxAttributes& attributes) {
  const Rounding rounding = attributes.output.rounding;
  if (step.input(0).dtype() == DType::kInt16) {
    if (rounding != Rounding::kTfliteDouble || attributes.diff_min != 0) {
      return error(Code::kBadAttribute);
    }
    if (step.output(0).dtype() != DType::kInt16) return output_error(step, Code::kBadType);
    ARENITE_TRY(check_table(step, 1, DType::kInt16, 1, kInterpolatedTable));
    return check_table(step, 2, DType::kInt16, 1, kInterpolatedTable);
  }
  if (step.has_input(2)) return error(Code::kBadOperandCount);
  if (rounding == Rounding::kHalfEven) {
    if (attributes.multiplier != 0 || attributes.shift != 0 || attributes.diff_min != 0) {
      return error(Code::kBadAttribute);
    }
    return check_table(step, 1, DType::kUint32, 2, 256);
  }
  if (step.has_input(1)) return error(Code::kBadOperandCount);
  return rounding == Rounding::kTfliteDouble && attributes.diff_min <= 0
             ? ok_status()
             : error(Code::kBadAttribute);
}

Status check_quantized_softmax(const Step& step) {
  ARENITE_TRY(check_map(step));
  const DType type = step.output(0).dtype();
  if (!has(kQuantizedSoftmaxTypes, type)) return output_error(step, Code::kBadType);
  const auto attributes = step.attributes<QuantizedSoftmaxAttributes>();
  if (attributes.axes >> step.output(0).rank() != 0 ||
      !is_multiplier(attributes.multiplier, attributes.shift)) {
    return error(Code::kBadAttribute);
  }
  ARENITE_TRY(check_requantization(attributes.output, type));
  return check_variant(step, attributes);
}

}  // namespace

constexpr Contract kQuantizedSoftmaxContract = {
    .op = Op::kQuantizedSoftmax,
    .max_inputs = 3,
    .attribute_words = words_of<QuantizedSoftmaxAttributes>(),
    .types = kQuantizedSoftmaxTypes,
    .inputs = {OperandType::kT, OperandType::kAny, OperandType::kAny},
    .outputs = {OperandType::kAny, OperandType::kAny},
    .check = check_quantized_softmax,
};

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0

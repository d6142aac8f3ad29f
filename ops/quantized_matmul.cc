// The contract of quantized_matmul: a product of integer matrices, batch by batch.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/matrices.h"
#include "ops/packings.h"
#include "ops/quantized.h"

namespace arenite {
namespace {

Status check_quantized_matmul(const Step& step) {
  const DType b = step.dtype(1);
  if (!has(kQuantizedWeights, b) && (b != DType::kInt16 || step.dtype(0) != b)) {
    return input_error(step, Code::kBadType, 1);
  }
  ARENITE_TRY(check_matrices(step));
  for (uint32_t i = kBiasInput; i < kQuantizedInputs; ++i) {
    if (step.has_input(i)) ARENITE_TRY(check_same_dims(step, i));
  }
  if (step.has_input(kXZeroPointInput)) {
    const Tensor zero_points = step.input(kXZeroPointInput);
    const uint32_t column = zero_points.rank() - 1;
    if (zero_points.dims[column] > 1 && zero_points.strides[column] != 0) {
      return input_error(step, Code::kBadShape, kXZeroPointInput);
    }
  }
  QuantizedMatMulAttributes room;
  const QuantizedMatMulAttributes& attributes = step.attributes(room);
  return check_quantized_product(
      step, {attributes.a_zero_point, attributes.b_zero_point, 0, attributes.output});
}

}  // namespace

constexpr Contract kQuantizedMatMulContract = {
    .op = Op::kQuantizedMatMul,
    .max_inputs = kQuantizedInputs,
    .min_inputs = 2,
    .attribute_words = words_of<QuantizedMatMulAttributes>(),
    .work = Work::kInner,
    .layout = {.kind = LayoutClass::kMatrix, .operands = 2},
    .packings = kQuantizedPackings,
    .types = kQuantizedMatMulTypes,
    .inputs = {OperandType::kT, OperandType::kAny, OperandType::kAny},
    .outputs = {OperandType::kAny, OperandType::kAny},
    .check = check_quantized_matmul,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

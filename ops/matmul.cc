// The contract of matmul: a product of matrices, batch by batch, of strided or packed right sides.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/matrices.h"
#include "ops/packings.h"

namespace arenite {
namespace {

Status check_matmul(const Step& step) {
  ARENITE_TRY(check_matrices(step));
  if (step.has_input(2)) ARENITE_TRY(check_same_dims(step, 2));
  if (step.has_input(kResidualInput)) ARENITE_TRY(check_same_dims(step, kResidualInput));
  return check_activation(step.attributes<MatMulAttributes>().activation);
}

}  // namespace

constexpr Contract kMatMulContract = {
    .op = Op::kMatMul,
    .max_inputs = 4,
    .min_inputs = 2,
    .attribute_words = words_of<MatMulAttributes>(),
    .activation_word = activation_of<MatMulAttributes>(),
    .work = Work::kInner,
    .layout = {.kind = LayoutClass::kMatrix, .operands = 2},
    .packings = kFloatPackings,
    .types = kMatMulTypes,
    .inputs = {OperandType::kT, OperandType::kTOrHalf, OperandType::kT},
    .check = check_matmul,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

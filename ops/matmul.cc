// The contract of matmul: a product of matrices, batch by batch, of strided or packed right sides.
#include "ops/check.h"
#include "ops/contracts.h"
#include "ops/panels.h"

namespace arenite {
namespace {

Status check_matmul(const Step& step) {
  const Tensor a = step.input(0);
  const Tensor b = step.input(1);
  const OutTensor y = step.output(0);
  const uint32_t rank = y.rank();
  if (rank < 2) return output_error(step, Code::kBadShape);
  if (a.rank() != rank || !matrix_fits(a)) return input_error(step, Code::kBadShape, 0);
  if (b.rank() != rank) return input_error(step, Code::kBadShape, 1);
  const bool panels = b.layout() == Layout::kPanel16;
  for (uint32_t d = 0; d + 2 < rank; ++d) {
    if (a.dims[d] != y.dims[d]) return input_error(step, Code::kBadShape, 0);
    if (b.dims[d] != (panels ? 1 : y.dims[d])) return input_error(step, Code::kBadShape, 1);
  }
  const uint32_t k = a.dims[rank - 1];
  if (a.dims[rank - 2] != y.dims[rank - 2]) return input_error(step, Code::kBadShape, 0);
  if (b.dims[rank - 2] != k || b.dims[rank - 1] != y.dims[rank - 1]) {
    return input_error(step, Code::kBadShape, 1);
  }
  if (panels && !panels_hold(b, b.dims[rank - 1], k)) return input_error(step, Code::kBadRange, 1);
  if (step.has_input(2)) ARENITE_TRY(check_same_dims(step, 2));
  return check_activation(step.attributes<MatMulAttributes>().activation);
}

}  // namespace

constexpr Contract kMatMulContract = {
    .op = Op::kMatMul,
    .max_inputs = 3,
    .min_inputs = 2,
    .attribute_words = words_of<MatMulAttributes>(),
    .activation_word = activation_of<MatMulAttributes>(),
    .work = Work::kInner,
    .layout = {.kind = LayoutClass::kMatrix, .operands = 2},
    .packings = kPackedWeights,
    .types = kMatMulTypes,
    .inputs = {OperandType::kT, OperandType::kTOrHalf, OperandType::kT},
    .check = check_matmul,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

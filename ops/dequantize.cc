// The contract of dequantize: the floats that integers stand for, by scales and zero points.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

// x, scale, optional zero_point (x's type; both of x's dims, stride 0 where repeated) -> y
// (float32) = (x - zero_point) * scale.
Status check_dequantize(const Step& step) {
  if (step.dtype(1) != DType::kFloat32) return input_error(step, Code::kBadType, 1);
  if (step.output(0).dtype() != DType::kFloat32) return output_error(step, Code::kBadType);
  ARENITE_TRY(check_same_dims(step, 0));
  ARENITE_TRY(check_same_dims(step, 1));
  return step.has_input(2) ? check_same_dims(step, 2) : ok_status();
}

}  // namespace

constexpr Contract kDequantizeContract = {
    .op = Op::kDequantize,
    .max_inputs = 3,
    .min_inputs = 2,
    .layout = {.kind = LayoutClass::kElementwise, .operands = 3},
    .types = kDequantizeTypes,
    .inputs = {OperandType::kT, OperandType::kAny, OperandType::kT},
    .outputs = {OperandType::kAny},
    .check = check_dequantize,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

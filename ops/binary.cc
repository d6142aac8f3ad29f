// The contracts of family binary: elementwise functions of two inputs, which repeat by strides of
// 0.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_binary(const Step& step) {
  ARENITE_TRY(check_same_dims(step, 0));
  ARENITE_TRY(check_same_dims(step, 1));
  const Activation activation = step.attributes<BinaryAttributes>().activation;
  if (step.output(0).dtype != DType::kFloat32 && activation.kind != ActivationKind::kNone) {
    return error(Code::kBadAttribute);
  }
  return check_activation(activation);
}

// Their results are bool.
constexpr bool is_comparison(Op op) {
  return op == Op::kEqual || op == Op::kGreater || op == Op::kGreaterOrEqual || op == Op::kLess ||
         op == Op::kLessOrEqual;
}

constexpr Contract binary(Op op, TypeSet types) {
  return {.op = op,
          .max_inputs = 2,
          .min_inputs = 2,
          .attribute_words = words_of<BinaryAttributes>(),
          .activation_word = activation_of<BinaryAttributes>(),
          .layout = {.kind = LayoutClass::kElementwise, .operands = 2},
          .types = types,
          .outputs = {is_comparison(op) ? OperandType::kBool : OperandType::kT, OperandType::kT},
          .check = check_binary};
}

}  // namespace

#define ARENITE_OP_binary(number, name, Type, set) \
  constexpr Contract k##Type##Contract = binary(Op::k##Type, types::k##set);
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

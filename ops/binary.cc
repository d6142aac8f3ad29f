// The contracts of family binary: elementwise functions of two inputs, which repeat by strides of
// 0.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

// `least` and `most` that BinaryAttributes::truncated may be.
Status check_all(const Step& step, uint32_t least, uint32_t most) {
  ARENITE_TRY(check_same_dims(step, 0));
  ARENITE_TRY(check_same_dims(step, 1));
  const auto [activation, truncated] = step.attributes<BinaryAttributes>();
  const DType type = step.output(0).dtype();
  const bool halves = type == DType::kFloat16 && step.where() == format::Where::kVulkan;
  const bool floats = type == DType::kFloat32 || halves;
  if ((!floats && activation.kind != ActivationKind::kNone) || truncated < least ||
      truncated > most) {
    return error(Code::kBadAttribute);
  }
  return check_activation(activation);
}

Status check_binary(const Step& step) { return check_all(step, 0, 0); }

Status check_pow(const Step& step) {
  const bool number = has(types::kAnyNumber, step.input(1).dtype());
  return number ? check_all(step, 0, 0) : input_error(step, Code::kBadType, 1);
}

Status check_mod(const Step& step) {
  return check_all(step, has(types::kFloatOrDouble, step.input(0).dtype()), 1);
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
          // An exponent may be of any type.
          .inputs = {OperandType::kT, op == Op::kPow ? OperandType::kAny : OperandType::kT},
          .outputs = {is_comparison(op) ? OperandType::kBool : OperandType::kT, OperandType::kT},
          .check = op == Op::kPow   ? check_pow
                   : op == Op::kMod ? check_mod
                                    : check_binary};
}

}  // namespace

#define ARENITE_OP_binary(number, name, Type, set) \
  constexpr Contract k##Type##Contract = binary(Op::k##Type, types::k##set);
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

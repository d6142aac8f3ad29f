// The contracts of family reduce: each element of the output from those of the input along axes.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_reduce(const Step& step) {
  return check_reduced(step, step.attributes<ReduceAttributes>().axes);
}

Status check_arg(const Step& step) {
  ARENITE_TRY(check_reduce(step));
  if (step.attributes<ArgAttributes>().select_last > 1) return error(Code::kBadAttribute);
  // An empty set of elements has no greatest one.
  if (is_empty(step.input(0)) && element_count(step.output(0)) != 0) {
    return input_error(step, Code::kBadShape, 0);
  }
  return ok_status();
}

// Their results are places of elements.
constexpr bool is_arg(Op op) { return op == Op::kArgMax || op == Op::kArgMin; }

constexpr Contract reduce(Op op, TypeSet types) {
  return {.op = op,
          .attribute_words = is_arg(op) ? words_of<ArgAttributes>() : words_of<ReduceAttributes>(),
          .work = Work::kReduced,
          .types = types,
          .outputs = {is_arg(op) ? OperandType::kInt64 : OperandType::kT, OperandType::kT},
          .check = is_arg(op) ? check_arg : check_reduce};
}

}  // namespace

#define ARENITE_OP_reduce(number, name, Type, set) \
  constexpr Contract k##Type##Contract = reduce(Op::k##Type, types::k##set);
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// The contracts of family reduce: each element of the output from those of the input along axes.
#include "ops/check.h"
#include "ops/contracts.h"

namespace arenite {
namespace {

Status check_reduce(const Step& step) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  const uint32_t axes = step.attributes<ReduceAttributes>().axes;
  if (x.rank() != y.rank()) return output_error(step, Code::kBadShape);
  if (axes >> x.rank() != 0) return error(Code::kBadAttribute);
  for (uint32_t d = 0; d < x.rank(); ++d) {
    if (y.dims[d] != ((axes >> d & 1u) != 0 ? 1 : x.dims[d])) {
      return output_error(step, Code::kBadShape);
    }
  }
  return check_dense_enough(step, 0);
}

Status check_arg(const Step& step) {
  ARENITE_TRY(check_reduce(step));
  if (step.attributes<ArgAttributes>().select_last > 1) return error(Code::kBadAttribute);
  // Of no elements none is the greatest.
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

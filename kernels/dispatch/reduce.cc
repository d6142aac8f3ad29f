// Family reduce: rows along the axes, through reduce.comp, or reduce_any.comp for int32 and bool;
// places of elements through reduce_arg.comp.
#include "kernels/dispatch/elements.h"
#include "kernels/dispatch/rows.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

bool is_arg(const Step& step) { return step.op() == Op::kArgMax || step.op() == Op::kArgMin; }

Status emit_arg(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<ArgAttributes>();
  const RowWork work = {.shader = Shader::kReduceArg,
                        .axes = attributes.axes,
                        .group = step.record().choice == 1,
                        .spec = {attributes.select_last, is_float(input_operand(step, 0))},
                        .spec_count = 2,
                        .in_order = true};
  return emit_rows(step, work, sink);
}

}  // namespace

bool supports_reduce(const Step& step) {
  if (is_arg(step)) {
    const Operand x = input_operand(step, 0);
    return is_float(x) || x.dtype == DType::kInt32;
  }
  return supports_rows(step);
}

// Of the contract's types those that the shader knows.
bool supports_reduce_any(const Step& step) {
  const Operand x = input_operand(step, 0);
  return !is_arg(step) && is_element(x) && !is_float(x);
}

uint32_t choose_reduce(const Step& step, const Capabilities&) {
  return choose_rows(step, step.attributes<ReduceAttributes>().axes);
}

Status emit_reduce(const Step& step, const DispatchSink& sink) {
  if (is_arg(step)) return emit_arg(step, sink);
  return emit_rows(step, Shader::kReduce, step.attributes<ReduceAttributes>().axes, sink);
}

Status emit_reduce_any(const Step& step, const DispatchSink& sink) {
  const RowWork work = {.shader = Shader::kReduceAny,
                        .axes = step.attributes<ReduceAttributes>().axes,
                        .group = step.record().choice == 1,
                        .spec = {element_type(input_operand(step, 0))},
                        .spec_count = 1};
  return emit_rows(step, work, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

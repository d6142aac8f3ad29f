// Family reduce: rows along the axes, through reduce.comp, or reduce_any.comp for integers and
// bool; places of elements through reduce_arg.comp.
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/rows.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"
#include "ops/requantisation.h"

namespace arenite {
namespace {

bool is_arg(const Step& step) { return step.op() == Op::kArgMax || step.op() == Op::kArgMin; }

uint32_t axes_of(const Step& step) {
  return is_arg(step) ? step.attributes<ArgAttributes>().axes
                      : step.attributes<ReduceAttributes>().axes;
}

Status emit_arg(const Step& step, const DispatchSink& sink) {
  const uint32_t select_last = step.attributes<ArgAttributes>().select_last;
  const RowWork work = {.shader = Shader::kReduceArg,
                        .axes = axes_of(step),
                        .group = step.record().choice == 1,
                        .spec = {select_last, integer_type(input_operand(step, 0))},
                        .spec_count = 2,
                        .in_order = true};
  return emit_rows(step, work, sink);
}

}  // namespace

bool supports_reduce(const Step& step) {
  if (is_arg(step)) {
    return is_element(input_operand(step, 0));
  }
  return supports_rows(step);
}

// Of the contract's types those that the shader knows.
bool supports_reduce_any(const Step& step) {
  const Operand x = input_operand(step, 0);
  return !is_arg(step) && is_element(x) && !is_float(x);
}

uint32_t choose_reduce(const Step& step, const Capabilities&) {
  return choose_rows(step, axes_of(step));
}

Status emit_reduce(const Step& step, const DispatchSink& sink) {
  if (is_arg(step)) return emit_arg(step, sink);
  return emit_rows(step, Shader::kReduce, axes_of(step), sink);
}

Status emit_reduce_any(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const IntegerRange range = x.dtype == DType::kBool ? IntegerRange{0, 1} : range_of(x.dtype);
  const RowWork work = {.shader = Shader::kReduceAny,
                        .axes = axes_of(step),
                        .group = step.record().choice == 1,
                        .spec = {integer_type(x), static_cast<uint32_t>(range.low),
                                 static_cast<uint32_t>(range.high)},
                        .spec_count = 3};
  return emit_rows(step, work, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

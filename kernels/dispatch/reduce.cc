// Family reduce: rows along the axes, through reduce.comp, or reduce_any.comp for integers and
// bool; places of elements through reduce_arg.comp.
#include "kernels/shaders/reduce.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/rows.h"
#include "kernels/shaders/reduce_any.h"
#include "kernels/shaders/reduce_arg.h"
#include "ops/attributes.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

bool is_arg(const Step& step) { return step.op() == Op::kArgMax || step.op() == Op::kArgMin; }

uint32_t axes_of(const Step& step) {
  return is_arg(step) ? step.attributes<ArgAttributes>().axes
                      : step.attributes<ReduceAttributes>().axes;
}

Status emit_arg(const Step& step, const DispatchSink& sink) {
  const Rows rows = rows_along(step, axes_of(step), true);
  DispatchBuilder builder(
      shaders::ReduceArg{.spec = {.group = rows.group,
                                  .op = step.op(),
                                  .select_last = step.attributes<ArgAttributes>().select_last != 0,
                                  .type = integer_type(rows.x)},
                         .push = rows.push});
  builder.buffer(rows.x).buffer(rows.y);
  return run_rows(rows, builder, sink);
}

uint32_t choose_reduce(const Step& step, const Capabilities&) {
  return choose_rows(step, axes_of(step));
}

// Whether what an operator makes of results along one axis are its results along both.
bool is_of_parts(Op op) {
  return op == Op::kReduceSum || op == Op::kReduceMean || op == Op::kReduceProd ||
         op == Op::kReduceMax || op == Op::kReduceMin;
}

bool accepts_reduce(const Step& step) {
  if (step.record().choice != kInTwoPasses) return true;
  const Operand x = input_operand(step, 0), y = output_operand(step, 0);
  return is_of_parts(step.op()) && is_float(x) && is_float(y) && x.count() != 0 &&
         axes_of(step) != 0;
}

uint32_t choose_float_reduce(const Step& step, const Capabilities& device) {
  const bool in_two = is_of_parts(step.op()) && is_float(input_operand(step, 0)) &&
                      pays_in_two_passes(step, axes_of(step));
  return in_two ? kInTwoPasses : choose_reduce(step, device);
}

uint64_t scratch_bytes_of_reduce(const Step& step) {
  return step.record().choice == kInTwoPasses ? bytes_between_passes(step, axes_of(step)) : 0;
}

Status emit_pass(const Step& step, const Rows& rows, const DispatchSink& sink) {
  DispatchBuilder builder(
      shaders::Reduce{.spec = {.group = rows.group, .op = step.op(), .wide_y = is_float(rows.y)},
                      .push = rows.push});
  builder.buffer(rows.x).buffer(rows.y);
  return run_rows(rows, builder, sink);
}

Status emit_reduce(const Step& step, const DispatchSink& sink) {
  if (is_arg(step)) return emit_arg(step, sink);
  if (step.record().choice != kInTwoPasses) {
    return emit_pass(step, rows_along(step, axes_of(step)), sink);
  }
  const RowsInTwo rows = rows_in_two_passes(step, axes_of(step));
  ARENITE_TRY(emit_pass(step, rows.first, sink));
  return emit_pass(step, rows.rest, sink);
}

Status emit_reduce_any(const Step& step, const DispatchSink& sink) {
  const Rows rows = rows_along(step, axes_of(step));
  const DType type = rows.x.dtype;
  const IntegerRange range = type == DType::kBool ? IntegerRange{0, 1} : range_of(type);
  DispatchBuilder builder(shaders::ReduceAny{.spec = {.group = rows.group,
                                                      .op = step.op(),
                                                      .type = integer_type(rows.x),
                                                      .lowest = range.low,
                                                      .highest = range.high},
                                             .push = rows.push});
  builder.buffer(rows.x).buffer(rows.y);
  return run_rows(rows, builder, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kReduce,
     .types = types::kFloat32,
     .accepts = accepts_reduce,
     .emit = emit_reduce,
     .wide_results = true,
     .choices = 3,
     .choose = choose_float_reduce,
     .scratch_bytes = scratch_bytes_of_reduce},
    {.form = 1,
     .shader = Shader::kReduceAny,
     .types = kIntegerElements,
     .emit = emit_reduce_any,
     .choices = 2,
     .choose = choose_reduce},
};

constexpr DispatchRow kArgRows[] = {
    {.form = 0,
     .shader = Shader::kReduceArg,
     .types = kElements,
     .emit = emit_reduce,
     .choices = 2,
     .choose = choose_reduce},
};

}  // namespace

std::span<const DispatchRow> reduce_rows(Op op) {
  if (op == Op::kArgMax || op == Op::kArgMin) return kArgRows;
  return kRows;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

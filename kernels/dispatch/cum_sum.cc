// CumSum of float32 and int32 through cum_sum.comp, row by row.
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"

namespace arenite {

bool supports_cum_sum(const Step& step) {
  const Operand x = input_operand(step, 0);
  return is_float(x) || x.dtype == DType::kInt32;
}

Status emit_cum_sum(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<CumSumAttributes>();
  Loops rows;
  for (uint32_t d = 0; d < y.rank; ++d) {
    if (d != attributes.axis) rows.add(y.dims[d], x.strides[d], y.strides[d]);
  }
  collapse_dims(rows, 1);
  DispatchBuilder builder(Shader::kCumSum);
  builder.buffer(x).buffer(y);
  builder.spec(is_float(x)).spec(attributes.exclusive).spec(attributes.reverse);
  builder.push(static_cast<uint32_t>(rows.count())).push(rows.rank).push(x.skip).push(y.skip);
  builder.push(y.dims[attributes.axis]).push(x.strides[attributes.axis]);
  builder.push(y.strides[attributes.axis]);
  builder.parameter_loops(rows, 2).fill_parameters();
  return builder.run_invocations(sink, rows.count());
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

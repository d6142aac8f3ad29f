// CumSum of float32 and int32 through cum_sum.comp, row by row.
#include "kernels/shaders/cum_sum.h"

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/row_files.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

Status emit_cum_sum(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<CumSumAttributes>();
  Loops rows;
  for (uint32_t d = 0; d < y.rank; ++d) {
    if (d != attributes.axis) rows.add(y.dims[d], x.strides[d], y.strides[d]);
  }
  collapse_dims(rows, 1);
  DispatchBuilder builder(shaders::CumSum{.spec = {.floats = is_float(x),
                                                   .exclusive = attributes.exclusive != 0,
                                                   .reverse = attributes.reverse != 0},
                                          .push = {.count = static_cast<uint32_t>(rows.count()),
                                                   .rank = rows.rank,
                                                   .x_skip = x.skip,
                                                   .y_skip = y.skip,
                                                   .elements = y.dims[attributes.axis],
                                                   .x_stride = x.strides[attributes.axis],
                                                   .y_stride = y.strides[attributes.axis]},
                                          .parameters = {.walk = rows}});
  builder.buffer(x).buffer(y);
  return builder.run_invocations(sink, rows.count());
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kCumSum,
     .types = type_set(DType::kFloat32, DType::kInt32),
     .emit = emit_cum_sum},
};

}  // namespace

std::span<const DispatchRow> cum_sum_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Places of x by a grid: an invocation of grid_sample.comp for each output element.
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"

namespace arenite {

bool supports_grid_sample(const Step& step) { return is_float(input_operand(step, 0)); }

Status emit_grid_sample(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand grid = input_operand(step, 1);
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<GridSampleAttributes>();
  DispatchBuilder builder(Shader::kGridSample);
  builder.buffer(x).buffer(grid).buffer(y);
  builder.spec(static_cast<uint32_t>(attributes.mode));
  builder.spec(static_cast<uint32_t>(attributes.padding)).spec(attributes.align_corners);
  builder.spec(grid.rank - 2);
  builder.push(static_cast<uint32_t>(y.count())).push(y.dims[1]);
  builder.push(x.dims + 2, 3).push(y.dims + 2, 3);
  builder.push(x.skip).push(grid.skip).push(y.skip);
  builder.push(x.strides, 5).push(y.strides, 5);
  builder.push(grid.strides[0]).push(grid.rank == 5 ? grid.strides[1] : 0u);
  builder.push(grid.strides + (grid.rank - 3), 3);
  return builder.run_invocations(sink, y.count());
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

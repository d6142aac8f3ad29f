// Places of x by a grid: an invocation of grid_sample.comp for each output element.
#include "kernels/shaders/grid_sample.h"

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/row_files.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

Status emit_grid_sample(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand grid = input_operand(step, 1);
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<GridSampleAttributes>();
  const auto grid_stride = [&](uint32_t i) {
    if (grid.rank == 5) return grid.strides[i];
    return i == 0 ? grid.strides[0] : i == 1 ? 0u : grid.strides[i - 1];
  };
  DispatchBuilder builder(
      shaders::GridSample{.spec = {.mode = attributes.mode,
                                   .padding = attributes.padding,
                                   .align_corners = attributes.align_corners != 0,
                                   .coordinates = grid.rank - 2},
                          .push = {.count = static_cast<uint32_t>(y.count()),
                                   .channels = y.dims[1],
                                   .size = shaders::first_of(x.dims + 2),
                                   .out_size = shaders::first_of(y.dims + 2),
                                   .x_skip = x.skip,
                                   .grid_skip = grid.skip,
                                   .y_skip = y.skip,
                                   .x_strides = shaders::first_of(x.strides),
                                   .y_strides = shaders::first_of(y.strides),
                                   .grid_strides = grid_stride}});
  builder.buffer(x).buffer(grid).buffer(y);
  return builder.run_invocations(sink, y.count());
}

constexpr DispatchRow kRows[] = {
    {.form = 0, .shader = Shader::kGridSample, .types = types::kFloat32, .emit = emit_grid_sample},
};

}  // namespace

std::span<const DispatchRow> grid_sample_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Bins of regions: an invocation of roi_align.comp for each output element.
#include "kernels/shaders/roi_align.h"

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/index_check.h"
#include "kernels/dispatch/row_files.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

Status check_roi_align(const Step& step, const DispatchSink& sink) {
  const uint32_t batch = input_operand(step, 0).dims[0];
  return emit_index_check({.indices = input_operand(step, 2), .sizes = {batch}}, sink);
}

Status emit_roi_align(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand rois = input_operand(step, 1);
  const Operand batch = input_operand(step, 2);
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<RoiAlignAttributes>();
  DispatchBuilder builder(shaders::RoiAlign{
      .spec = {.take_max = attributes.take_max != 0,
               .half_pixel = attributes.half_pixel != 0,
               .sampling = attributes.sampling},
      .push = {.count = static_cast<uint32_t>(y.count()),
               .scale = attributes.scale,
               .images = x.dims[0],
               .channels = x.dims[1],
               .size = shaders::first_of(x.dims + 2),
               .out_size = shaders::first_of(y.dims + 2),
               .x_skip = x.skip,
               .rois_skip = rois.skip,
               // Two words each; one that lies at an odd word is skipped by words.
               .batch_skip = batch.skip_bytes / 4,
               .y_skip = y.skip,
               .x_strides = shaders::first_of(x.strides),
               .y_strides = shaders::first_of(y.strides),
               .rois_strides = shaders::first_of(rois.strides),
               .batch_stride = batch.strides[0] * 2}});
  builder.buffer(x).buffer(rois).buffer(batch).buffer(y);
  return builder.run_invocations(sink, y.count());
}

constexpr DispatchRow kRows[] = {
    {.form = 1,
     .shader = Shader::kRoiAlign,
     .types = types::kFloat32,
     .emit = emit_roi_align,
     .check = check_roi_align},
    {.form = 0, .shader = Shader::kRoiAlign, .types = types::kFloat32, .emit = emit_roi_align},
};

}  // namespace

std::span<const DispatchRow> roi_align_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

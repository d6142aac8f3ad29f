// Bins of regions: an invocation of roi_align.comp for each output element.
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/index_check.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"

namespace arenite {

bool supports_roi_align(const Step& step) { return is_float(input_operand(step, 0)); }

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
  DispatchBuilder builder(Shader::kRoiAlign);
  builder.buffer(x).buffer(rois).buffer(batch).buffer(y);
  builder.spec(attributes.take_max).spec(attributes.half_pixel).spec(attributes.sampling);
  builder.push(static_cast<uint32_t>(y.count())).push(attributes.scale);
  builder.push(x.dims, 4).push(y.dims + 2, 2);
  // Two words each; one that lies at an odd word is skipped by words.
  builder.push(x.skip).push(rois.skip).push(batch.skip_bytes / 4).push(y.skip);
  builder.push(x.strides, 4).push(y.strides, 4).push(rois.strides, 2).push(batch.strides[0] * 2);
  return builder.run_invocations(sink, y.count());
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

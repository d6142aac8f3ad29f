// Limits each element: unary.comp for constant bounds, clip.comp for bounds that are data, and
// integers.
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/unary.h"

namespace arenite {

bool supports_clip(const Step& step) {
  const DType type = output_operand(step, 0).dtype;
  if (!is_element(output_operand(step, 0))) return false;
  for (uint32_t i = 0; i < step.input_count(); ++i) {
    if (step.has_input(i) && input_operand(step, i).dtype != type) return false;
  }
  return true;
}

Status emit_clip(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand low = step.has_input(1) ? input_operand(step, 1) : x;
  const Operand high = step.has_input(2) ? input_operand(step, 2) : x;
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<ClipAttributes>();
  const Loops loops = map_loops(x, y);
  const Stores stores = stores_of(y, loops, 1, y.skip);
  DispatchBuilder builder(Shader::kClip);
  builder.buffer(x).buffer(low).buffer(high).buffer(y);
  builder.spec(stores.kind).spec(integer_type(x)).spec(step.has_input(1)).spec(step.has_input(2));
  builder.push(static_cast<uint32_t>(loops.count())).push(shader_rank(loops));
  builder.push(x.skip).push(low.skip).push(high.skip).push(y.skip);
  if (is_float(x)) {
    builder.push(attributes.min).push(attributes.max);
  } else {
    builder.push(0x80000000u).push(0x7fffffffu);  // no bound
  }
  builder.push_loops(loops, kMaxRank, 2);
  return builder.run_invocations(sink, stores.invocations);
}

bool supports_clip_constant(const Step& step) {
  return supports_clip(step) && is_float(output_operand(step, 0)) && !step.has_input(1) &&
         !step.has_input(2);
}

Status emit_clip_constant(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<ClipAttributes>();
  return emit_unary_function(step, {Op::kClip, {attributes.min, attributes.max}}, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

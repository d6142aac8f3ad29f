// One operand in, one out: dispatches of unary.comp, and of copy.comp for pure data movement.
#include "kernels/dispatch/unary.h"

namespace arenite {

bool supports_unary(const Step& step) {
  return is_float(input_operand(step, 0)) && is_float(output_operand(step, 0));
}

Loops map_loops(const Operand& x, const Operand& y) {
  Loops loops;
  for (uint32_t d = 0; d < y.rank; ++d) loops.add(y.dims[d], x.strides[d], y.strides[d]);
  collapse_dims(loops, 1);
  return loops;
}

Status emit_unary(const Step& step, const Activation& function, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const Loops loops = map_loops(x, y);
  DispatchBuilder builder(Shader::kUnary);
  builder.buffer(x).buffer(y).spec(static_cast<uint32_t>(function.kind));
  builder.push(static_cast<uint32_t>(loops.count())).push(shader_rank(loops));
  builder.push(x.skip).push(y.skip).push(function.a).push(function.b);
  builder.push_loops(loops, kMaxRank, 2);
  return builder.run_invocations(sink, loops.count());
}

Status emit_copy_range(const Operand& x, const Operand& y, const CopyRange& range,
                       const DispatchSink& sink) {
  Loops loops = range.loops;
  collapse_dims(loops, 1);
  DispatchBuilder builder(Shader::kCopy);
  builder.buffer(x).buffer(y).spec(0);
  builder.push(static_cast<uint32_t>(loops.count())).push(shader_rank(loops));
  builder.push(x.skip + range.x_first).push(y.skip + range.y_first).push(0u);
  builder.push_loops(loops, kMaxRank, 2);
  return builder.run_invocations(sink, loops.count());
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

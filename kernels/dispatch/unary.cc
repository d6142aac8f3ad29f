// Family unary: one operand in, one out, through unary.comp, or unary_any.comp for integers and
// bool.
#include "kernels/dispatch/unary.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/rules.h"

namespace arenite {

bool supports_unary(const Step& step) {
  return is_float(input_operand(step, 0)) && is_float(output_operand(step, 0));
}

Status emit_unary(const Step& step, const DispatchSink& sink) {
  return emit_unary_function(step, {step.op(), step.attributes<UnaryAttributes>()}, sink);
}

// Of the contract's types those that the shader knows.
bool supports_unary_any(const Step& step) {
  const Operand x = input_operand(step, 0);
  return is_element(x) && !is_float(x);
}

Status emit_unary_any(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const Loops loops = map_loops(x, y);
  const Stores stores = stores_of(y, loops, 1, y.skip);
  DispatchBuilder builder(Shader::kUnaryAny);
  builder.buffer(x).buffer(y).spec(stores.kind).spec(static_cast<uint32_t>(step.op()));
  builder.spec(integer_type(x));
  builder.push(static_cast<uint32_t>(loops.count())).push(shader_rank(loops));
  builder.push(x.skip).push(y.skip).push_loops(loops, kMaxRank, 2);
  return builder.run_invocations(sink, stores.invocations);
}

Status emit_unary_function(const Step& step, const UnaryFunction& function,
                           const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const Loops loops = map_loops(x, y);
  DispatchBuilder builder(Shader::kUnary);
  builder.buffer(x).buffer(y).spec(static_cast<uint32_t>(function.op));
  builder.push(static_cast<uint32_t>(loops.count())).push(shader_rank(loops));
  builder.push(x.skip).push(y.skip).push(function.attributes.alpha).push(function.attributes.beta);
  builder.push_loops(loops, kMaxRank, 2);
  return builder.run_invocations(sink, loops.count());
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

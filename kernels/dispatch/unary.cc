// Family unary: one operand in, one out, through unary.comp, or unary_any.comp for integers and
// bool.
#include "kernels/dispatch/unary.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/shaders/unary.h"
#include "kernels/shaders/unary_any.h"

namespace arenite {
namespace {

Status emit_unary(const Step& step, const DispatchSink& sink) {
  return emit_unary_function(step, {step.op(), step.attributes<UnaryAttributes>()}, sink);
}

Status emit_unary_any(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const Loops loops = map_loops(x, y);
  const Stores stores = stores_of(y, loops, 1, y.skip);
  DispatchBuilder builder(
      shaders::UnaryAny{.spec = {.store = stores.kind, .op = step.op(), .type = integer_type(x)},
                        .push = {.count = static_cast<uint32_t>(loops.count()),
                                 .rank = shader_rank(loops),
                                 .x_skip = x.skip,
                                 .y_skip = y.skip,
                                 .dims = shaders::dims_of(loops),
                                 .x_strides = shaders::strides_of(loops, 0),
                                 .y_strides = shaders::strides_of(loops, 1)}});
  builder.buffer(x).buffer(y);
  return builder.run_invocations(sink, stores.invocations);
}

constexpr DispatchRow kRows[] = {
    {.form = 0, .shader = Shader::kUnary, .types = types::kFloat32, .emit = emit_unary},
    {.form = 1, .shader = Shader::kUnaryAny, .types = kIntegerElements, .emit = emit_unary_any},
};

}  // namespace

Status emit_unary_function(const Step& step, const UnaryFunction& function,
                           const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const Loops loops = map_loops(x, y);
  DispatchBuilder builder(shaders::Unary{.spec = {.op = function.op},
                                         .push = {.count = static_cast<uint32_t>(loops.count()),
                                                  .rank = shader_rank(loops),
                                                  .x_skip = x.skip,
                                                  .y_skip = y.skip,
                                                  .alpha = function.attributes.alpha,
                                                  .beta = function.attributes.beta,
                                                  .dims = shaders::dims_of(loops),
                                                  .x_strides = shaders::strides_of(loops, 0),
                                                  .y_strides = shaders::strides_of(loops, 1)}});
  builder.buffer(x).buffer(y);
  return builder.run_invocations(sink, loops.count());
}

std::span<const DispatchRow> unary_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

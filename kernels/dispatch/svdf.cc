// Layers of low rank that look back in time, in two passes of svdf.comp.
#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/rules.h"
#include "ops/requantisation.h"

namespace arenite {
namespace {

// As svdf.comp has them.
constexpr uint32_t kRememberPass = 0, kResultsPass = 1;

struct SvdfPass {
  uint32_t number;
  Operand a, b, c, y;  // matrices but for c, which may be the bias or, where there is none, any
  bool has_bias;
  uint32_t group;  // elements of a feature's memory, or features of a unit
  int32_t zero_point, multiplier, shift;
  Requantisation output;
};

Status emit_pass(const Step& step, const SvdfPass& pass, const DispatchSink& sink) {
  const Operand& y = pass.y;
  Loops loops;
  loops.add(y.dims[0], y.strides[0], y.dims[1]);
  loops.add(y.dims[1], y.strides[1], 1);
  collapse_dims(loops, 0);
  const Stores stores = stores_of(y, loops, 0, y.skip);
  DispatchBuilder builder(Shader::kSvdf);
  builder.buffer(pass.a).buffer(pass.b).buffer(pass.c).buffer(y);
  builder.spec(stores.kind).spec(pass.number);
  builder.spec(integer_type(input_operand(step, 0))).spec(integer_type(input_operand(step, 4)));
  builder.spec(pass.has_bias).spec(static_cast<uint32_t>(pass.output.rounding));
  builder.push(static_cast<uint32_t>(loops.count())).push(y.skip);
  builder.parameter(shader_rank(loops)).parameter(pass.a.skip).parameter(pass.b.skip);
  builder.parameter(pass.c.skip).parameter(y.dims[1]).parameter(pass.b.dims[1]);
  builder.parameter(pass.group);
  for (const int32_t number : {pass.zero_point, pass.multiplier, pass.shift, pass.output.zero_point,
                               pass.output.low, pass.output.high}) {
    builder.parameter(static_cast<uint32_t>(number));
  }
  for (const Operand* operand : {&pass.a, &pass.b, &pass.c}) {
    builder.parameter(operand->strides[0]);
    builder.parameter(operand->rank > 1 ? operand->strides[1] : 0);
  }
  builder.parameter(0u).parameter_loops(loops, 2).fill_parameters();
  return builder.run_invocations(sink, stores.invocations);
}

}  // namespace

bool supports_svdf(const Step&) { return true; }

Status emit_svdf(const Step& step, const DispatchSink& sink) {
  const auto by = step.attributes<SvdfAttributes>();
  const Operand times = input_operand(step, 2);
  const Operand next = output_operand(step, 1);
  const IntegerRange range = range_of(next.dtype);
  ARENITE_TRY(emit_pass(step,
                        {kRememberPass,
                         input_operand(step, 0),
                         input_operand(step, 1),
                         input_operand(step, 4),
                         next,
                         false,
                         times.dims[1],
                         by.x_zero_point,
                         by.multipliers[0],
                         by.shifts[0],
                         {by.output.rounding, by.state_zero_point, range.low, range.high}},
                        sink));
  const bool has_bias = step.has_input(3);
  return emit_pass(step,
                   {kResultsPass, next, times, has_bias ? input_operand(step, 3) : times,
                    output_operand(step, 0), has_bias, by.rank, by.state_zero_point,
                    by.multipliers[1], by.shifts[1], by.output},
                   sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

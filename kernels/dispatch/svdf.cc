// Layers of low rank that look back in time, in two passes of svdf.comp.
#include "kernels/shaders/svdf.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "ops/requantization.h"

namespace arenite {
namespace {

using Pass = shaders::Svdf::Pass;

struct SvdfPass {
  Pass number;
  Operand a, b, c, y;  // matrices but for c, which may be the bias or, where there is none, any
  bool has_bias;
  uint32_t group;  // elements of a feature's memory, or features of a unit
  int32_t zero_point, multiplier, shift;
  Requantization output;
};

Status emit_pass(const Step& step, const SvdfPass& pass, const DispatchSink& sink) {
  const Operand& y = pass.y;
  Loops loops;
  loops.add(y.dims[0], y.strides[0], y.dims[1]);
  loops.add(y.dims[1], y.strides[1], 1);
  collapse_dims(loops, 0);
  const Stores stores = stores_of(y, loops, 0, y.skip);
  const auto strides = [](const Operand& operand) {
    return [&](uint32_t d) { return d < operand.rank ? operand.strides[d] : 0u; };
  };
  DispatchBuilder builder(
      shaders::Svdf{.spec = {.store = stores.kind,
                             .pass = pass.number,
                             .type_x = integer_type(input_operand(step, 0)),
                             .type_state = integer_type(input_operand(step, 4)),
                             .has_bias = pass.has_bias,
                             .rounding = pass.output.rounding},
                    .push = {.count = static_cast<uint32_t>(loops.count()), .y_skip = y.skip},
                    .parameters = {.rank = shader_rank(loops),
                                   .a_skip = pass.a.skip,
                                   .b_skip = pass.b.skip,
                                   .c_skip = pass.c.skip,
                                   .columns = y.dims[1],
                                   .length = pass.b.dims[1],
                                   .group = pass.group,
                                   .zero_point = pass.zero_point,
                                   .multiplier = pass.multiplier,
                                   .shift = pass.shift,
                                   .output = output_words(pass.output),
                                   .a_strides = strides(pass.a),
                                   .b_strides = strides(pass.b),
                                   .c_strides = strides(pass.c),
                                   .walk = loops}});
  builder.buffer(pass.a).buffer(pass.b).buffer(pass.c).buffer(y);
  return builder.run_invocations(sink, stores.invocations);
}

Status emit_svdf(const Step& step, const DispatchSink& sink) {
  const auto by = step.attributes<SvdfAttributes>();
  const Operand times = input_operand(step, 2);
  const Operand next = output_operand(step, 1);
  const IntegerRange range = range_of(next.dtype);
  ARENITE_TRY(emit_pass(step,
                        {Pass::kRemember,
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
                   {Pass::kResults, next, times, has_bias ? input_operand(step, 3) : times,
                    output_operand(step, 0), has_bias, by.rank, by.state_zero_point,
                    by.multipliers[1], by.shifts[1], by.output},
                   sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0, .shader = Shader::kSvdf, .types = types::kAny, .emit = emit_svdf},
};

}  // namespace

std::span<const DispatchRow> svdf_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

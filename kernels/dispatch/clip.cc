// Limits each element: unary.comp for constant bounds, clip.comp for bounds that are data, and
// integers.
#include "kernels/shaders/clip.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/unary.h"

namespace arenite {
namespace {

Status emit_clip(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand low = step.has_input(1) ? input_operand(step, 1) : x;
  const Operand high = step.has_input(2) ? input_operand(step, 2) : x;
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<ClipAttributes>();
  const Loops loops = map_loops(x, y);
  const Stores stores = stores_of(y, loops, 1, y.skip);
  // A clip of integers without a bound takes that of the type int32.
  const uint32_t least = is_float(x) ? shaders::bits_of(attributes.min) : 0x80000000u;
  const uint32_t greatest = is_float(x) ? shaders::bits_of(attributes.max) : 0x7fffffffu;
  DispatchBuilder builder(shaders::Clip{.spec = {.store = stores.kind,
                                                 .type = integer_type(x),
                                                 .has_low = step.has_input(1),
                                                 .has_high = step.has_input(2)},
                                        .push = {.count = static_cast<uint32_t>(loops.count()),
                                                 .rank = shader_rank(loops),
                                                 .x_skip = x.skip,
                                                 .low_skip = low.skip,
                                                 .high_skip = high.skip,
                                                 .y_skip = y.skip,
                                                 .low = least,
                                                 .high = greatest,
                                                 .dims = shaders::dims_of(loops),
                                                 .x_strides = shaders::strides_of(loops, 0),
                                                 .y_strides = shaders::strides_of(loops, 1)}});
  builder.buffer(x).buffer(low).buffer(high).buffer(y);
  return builder.run_invocations(sink, stores.invocations);
}

bool accepts_clip_constant(const Step& step) { return !step.has_input(1) && !step.has_input(2); }

Status emit_clip_constant(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<ClipAttributes>();
  return emit_unary_function(step, {Op::kClip, {attributes.min, attributes.max}}, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 1,
     .shader = Shader::kUnary,
     .types = types::kFloat32,
     .accepts = accepts_clip_constant,
     .emit = emit_clip_constant},
    {.form = 0, .shader = Shader::kClip, .types = kElements, .emit = emit_clip},
};

}  // namespace

std::span<const DispatchRow> clip_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Layer normalization and its kin through normalize.comp: an invocation or a group does a row.
#include "kernels/shaders/normalize.h"

#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/rows.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

uint32_t choose_normalize(const Step& step, const Capabilities&) {
  return choose_rows(step, step.attributes<NormalizeAttributes>().axes);
}

Status emit_normalize(const Step& step, const DispatchSink& sink) {
  const auto attributes = step.attributes<NormalizeAttributes>();
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const bool has_scale = step.has_input(1), has_bias = step.has_input(2);
  const Operand scale = has_scale ? input_operand(step, 1) : x;
  const Operand bias = has_bias ? input_operand(step, 2) : x;
  Loops kept, reduced;
  for (uint32_t d = 0; d < y.rank; ++d) {
    Loops& loops = (attributes.axes >> d & 1u) != 0 ? reduced : kept;
    loops.add(y.dims[d], x.strides[d], scale.strides[d], bias.strides[d], y.strides[d]);
  }
  collapse_dims(kept, 0);
  collapse_dims(reduced, 0);
  const bool group = step.record().choice == 1;
  // Eight dims in all: those that are kept, then those of a row.
  const auto dim = [&](uint32_t i) {
    const Loops& loops = i < kept.rank ? kept : reduced;
    const uint32_t d = i < kept.rank ? i : i - kept.rank;
    const bool there = d < loops.rank;
    const auto strides = [&](uint32_t k) { return there ? loops.strides[k][d] : 0u; };
    return shaders::Normalize::Dim{.size = there ? loops.dims[d] : 0u, .strides = strides};
  };
  DispatchBuilder builder(shaders::Normalize{
      .spec =
          {.group = group, .norm = attributes.norm, .has_scale = has_scale, .has_bias = has_bias},
      .parameters = {.rows = static_cast<uint32_t>(kept.count()),
                     .kept_rank = kept.rank,
                     .elements = static_cast<uint32_t>(reduced.count()),
                     .row_rank = reduced.rank,
                     .x_skip = x.skip,
                     .scale_skip = scale.skip,
                     .bias_skip = bias.skip,
                     .y_skip = y.skip,
                     .epsilon = attributes.epsilon,
                     .margin = attributes.margin,
                     .least = attributes.least,
                     .dims = {dim(0), dim(1), dim(2), dim(3), dim(4), dim(5), dim(6), dim(7)}}});
  builder.buffer(x).buffer(scale).buffer(bias).buffer(y);
  return group ? builder.run_groups(sink, kept.count())
               : builder.run_invocations(sink, kept.count());
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kNormalize,
     .types = types::kFloat32,
     .emit = emit_normalize,
     .choices = 2,
     .choose = choose_normalize},
};

}  // namespace

std::span<const DispatchRow> normalize_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

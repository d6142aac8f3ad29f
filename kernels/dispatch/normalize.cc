// Layer normalization and its kin through normalize.comp: an invocation or a group does a row.
#include "kernels/dispatch/rows.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"

namespace arenite {

bool supports_normalize(const Step& step) { return supports_rows(step); }

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
  const Operand* const operands[Loops::kOperands] = {&x, &scale, &bias, &y};
  Loops kept, reduced;
  for (uint32_t d = 0; d < y.rank; ++d) {
    Loops& loops = (attributes.axes >> d & 1u) != 0 ? reduced : kept;
    loops.add(y.dims[d], x.strides[d], scale.strides[d], bias.strides[d], y.strides[d]);
  }
  collapse_dims(kept, 0);
  collapse_dims(reduced, 0);
  const bool group = step.record().choice == 1;
  DispatchBuilder builder(Shader::kNormalize);
  for (const Operand* operand : operands) builder.buffer(*operand);
  builder.spec(group).spec(static_cast<uint32_t>(attributes.norm)).spec(has_scale).spec(has_bias);
  builder.parameter(static_cast<uint32_t>(kept.count())).parameter(kept.rank);
  builder.parameter(static_cast<uint32_t>(reduced.count())).parameter(reduced.rank);
  for (const Operand* operand : operands) builder.parameter(operand->skip);
  builder.parameter(attributes.epsilon).parameter(attributes.margin).parameter(attributes.least);
  builder.parameter(0u);
  for (const Loops* loops : {&kept, &reduced}) {
    // Eight dims in all: those that are kept, then those of a row.
    for (uint32_t d = 0; d < loops->rank; ++d) {
      builder.parameter(loops->dims[d]);
      for (const uint32_t(&strides)[Loops::kDims] : loops->strides) builder.parameter(strides[d]);
    }
  }
  for (uint32_t d = kept.rank + reduced.rank; d < kMaxRank; ++d) {
    for (uint32_t i = 0; i < 1 + Loops::kOperands; ++i) builder.parameter(0u);
  }
  builder.fill_parameters();
  return group ? builder.run_groups(sink, kept.count())
               : builder.run_invocations(sink, kept.count());
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Local response normalization: an invocation of lrn.comp for each element.
#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"

namespace arenite {

bool supports_lrn(const Step& step) { return is_float(input_operand(step, 0)); }

Status emit_lrn(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<LrnAttributes>();
  // The third operand tells the channel of an element; so its axis is joined with no other.
  Loops loops;
  for (uint32_t d = 0; d < y.rank; ++d) loops.add(y.dims[d], x.strides[d], y.strides[d], d == 1);
  collapse_dims(loops, 1);
  DispatchBuilder builder(Shader::kLrn);
  builder.buffer(x).buffer(y);
  builder.parameter(static_cast<uint32_t>(loops.count())).parameter(loops.rank);
  builder.parameter(x.skip).parameter(y.skip).parameter(y.dims[1]).parameter(x.strides[1]);
  builder.parameter(attributes.size);
  builder.parameter(attributes.alpha / static_cast<float>(attributes.size));
  builder.parameter(attributes.beta).parameter(attributes.bias);
  for (uint32_t d = 0; d < kMaxRank; ++d) builder.parameter(d < loops.rank ? loops.dims[d] : 1);
  for (uint32_t k = 0; k < 3; ++k) {
    for (uint32_t d = 0; d < kMaxRank; ++d) {
      builder.parameter(d < loops.rank ? loops.strides[k][d] : 0);
    }
  }
  builder.fill_parameters();
  return builder.run_invocations(sink, loops.count());
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

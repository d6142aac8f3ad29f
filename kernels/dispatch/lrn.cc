// Local response normalization: an invocation of lrn.comp for each element.
#include "kernels/shaders/lrn.h"

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/row_files.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

Status emit_lrn(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const auto attributes = step.attributes<LrnAttributes>();
  // The third operand tells the channel of an element; so its axis is joined with no other.
  Loops loops;
  for (uint32_t d = 0; d < y.rank; ++d) loops.add(y.dims[d], x.strides[d], y.strides[d], d == 1);
  collapse_dims(loops, 1);
  DispatchBuilder builder(
      shaders::Lrn{.parameters = {.count = static_cast<uint32_t>(loops.count()),
                                  .rank = loops.rank,
                                  .x_skip = x.skip,
                                  .y_skip = y.skip,
                                  .channels = y.dims[1],
                                  .channel_stride = x.strides[1],
                                  .size = attributes.size,
                                  .factor = attributes.alpha / static_cast<float>(attributes.size),
                                  .beta = attributes.beta,
                                  .bias = attributes.bias,
                                  .dims = shaders::dims_of(loops),
                                  .x_strides = shaders::strides_of(loops, 0),
                                  .y_strides = shaders::strides_of(loops, 1),
                                  .channel_of = shaders::strides_of(loops, 2)}});
  builder.buffer(x).buffer(y);
  return builder.run_invocations(sink, loops.count());
}

constexpr DispatchRow kRows[] = {
    {.form = 0, .shader = Shader::kLrn, .types = types::kFloat32, .emit = emit_lrn},
};

}  // namespace

std::span<const DispatchRow> lrn_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

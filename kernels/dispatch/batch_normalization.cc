// Normalizes by given statistics in two passes of batch_normalization.comp; training is the CPU's.
#include "kernels/shaders/batch_normalization.h"

#include "kernels/dispatch/builder.h"
#include "kernels/dispatch/row_files.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kRankMax = 7;  // what two operands' strides leave of the push words

// y = f(x, first[c], second[c]) over all elements.
struct Pass {
  bool second;
  Operand x, first, second_operand, y;
  float epsilon;
};

Status emit_pass(const Pass& pass, const DispatchSink& sink) {
  Loops loops, outer;
  for (uint32_t d = 0; d < pass.y.rank; ++d) {
    // Operand 2 counts channels: it keeps that dim apart and says afterwards where it went.
    loops.add(pass.y.dims[d], pass.x.strides[d], pass.y.strides[d], d == 1 ? 1 : 0);
  }
  collapse_dims(loops, 1);
  split_outer(loops, kRankMax, outer);
  uint32_t channel_dim = kNoIndex;
  for (uint32_t d = 0; d < loops.rank; ++d) {
    if (loops.strides[2][d] != 0) channel_dim = d;
  }
  return for_each_outer(outer, [&](const uint32_t* offsets) {
    const uint32_t channel = offsets[2];
    DispatchBuilder builder(shaders::BatchNormalization{
        .spec = {.second_pass = pass.second},
        .push = {.count = static_cast<uint32_t>(loops.count()),
                 .rank = shader_rank(loops),
                 .x_skip = pass.x.skip + offsets[0],
                 .first_skip = pass.first.skip + channel * pass.first.strides[0],
                 .second_skip = pass.second_operand.skip + channel * pass.second_operand.strides[0],
                 .y_skip = pass.y.skip + offsets[1],
                 .first_stride = pass.first.strides[0],
                 .second_stride = pass.second_operand.strides[0],
                 .channel_dim = channel_dim,
                 .epsilon = pass.epsilon,
                 .dims = shaders::dims_of(loops),
                 .x_strides = shaders::strides_of(loops, 0),
                 .y_strides = shaders::strides_of(loops, 1)}});
    builder.buffer(pass.x).buffer(pass.first).buffer(pass.second_operand).buffer(pass.y);
    return builder.run_invocations(sink, loops.count());
  });
}

bool accepts_batch_normalization(const Step& step) {
  return step.attributes<BatchNormalizationAttributes>().training == 0 && step.output_count() == 1;
}

Status emit_batch_normalization(const Step& step, const DispatchSink& sink) {
  const Operand scale = input_operand(step, 1);
  const Operand bias = input_operand(step, 2);
  const Operand mean = input_operand(step, 3);
  const Operand variance = input_operand(step, 4);
  const Operand y = output_operand(step, 0);
  const float epsilon = step.attributes<BatchNormalizationAttributes>().epsilon;
  ARENITE_TRY(emit_pass({false, input_operand(step, 0), mean, variance, y, epsilon}, sink));
  return emit_pass({true, y, scale, bias, y, epsilon}, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kBatchNormalization,
     .types = types::kFloat32,
     .accepts = accepts_batch_normalization,
     .emit = emit_batch_normalization},
};

}  // namespace

std::span<const DispatchRow> batch_normalization_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

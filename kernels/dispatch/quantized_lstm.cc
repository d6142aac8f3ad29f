// Cells of 8-bit activations, in passes of quantized_lstm.comp: h and the cells to the scratch,
// what x gives, all steps, and back.
#include "kernels/shaders/quantized_lstm.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "ops/quantized_lstm.h"

namespace arenite {
namespace {

using Words = shaders::QuantizedLstm;
using LstmPass = Words::Pass;

struct LstmSizes {
  explicit LstmSizes(const Step& step);
  uint64_t projected() const { return uint64_t{times} * batch * kLstmGates * hidden; }
  uint64_t states() const { return uint64_t{batch} * hidden; }
  // h and the cells begin here in the scratch.
  uint64_t h() const { return projected(); }
  uint64_t cells() const { return projected() + states(); }
  uint64_t words() const { return projected() + 2 * states(); }

  uint32_t times, batch, inputs, hidden;
};

LstmSizes::LstmSizes(const Step& step) {
  const Operand x = input_operand(step, kLstmX);
  times = x.dims[0];
  batch = x.dims[1];
  inputs = x.dims[2];
  hidden = input_operand(step, kLstmH).dims[1];
}

struct Pass {
  LstmPass number;
  Operand buffers[4];
  uint64_t copied = 0;  // where in the scratch a copy begins
  uint32_t type = 0;    // of what is copied
};

DispatchBuilder builder_of(const Step& step, const Pass& pass, uint64_t count) {
  const LstmSizes sizes(step);
  const auto by = step.attributes<QuantizedLstmAttributes>();
  const auto tensor = [](const Operand& buffer) {
    const auto stride = [&](uint32_t d) { return d < buffer.rank ? buffer.strides[d] : 0u; };
    return Words::Tensor{.skip = buffer.skip, .strides = stride};
  };
  const Operand(&of)[4] = pass.buffers;
  DispatchBuilder builder(
      Words{.spec = {.pass = pass.number, .type = pass.type, .rounding = by.output.rounding},
            .push = {.count = static_cast<uint32_t>(count)},
            .parameters = {.times = sizes.times,
                           .batch = sizes.batch,
                           .hidden = sizes.hidden,
                           .inputs = sizes.inputs,
                           .copied = static_cast<uint32_t>(pass.copied),
                           .h = static_cast<uint32_t>(sizes.h()),
                           .cells = static_cast<uint32_t>(sizes.cells()),
                           .tensors = {tensor(of[0]), tensor(of[1]), tensor(of[2]), tensor(of[3])},
                           .x_zero_point = by.x_zero_point,
                           .w_multipliers = by.w_multipliers,
                           .w_shifts = by.w_shifts,
                           .r_multipliers = by.r_multipliers,
                           .r_shifts = by.r_shifts,
                           .cell_multipliers = by.cell_multipliers,
                           .cell_shifts = by.cell_shifts,
                           .h_multiplier = by.h_multiplier,
                           .h_shift = by.h_shift,
                           .tanh_multiplier = by.tanh_multiplier,
                           .tanh_shift = by.tanh_shift,
                           .cell_clip = by.cell_clip,
                           .output = output_words(by.output)}});
  for (const Operand& buffer : pass.buffers) builder.buffer(buffer);
  return builder;
}

Status copy_in(const Step& step, uint32_t input, uint64_t place, const DispatchSink& sink) {
  const Operand from = input_operand(step, input);
  const Pass pass = {
      LstmPass::kCopyIn, {from, from, from, scratch_operand(step)}, place, integer_type(from)};
  const uint64_t count = LstmSizes(step).states();
  return builder_of(step, pass, count).run_invocations(sink, count);
}

Status copy_out(const Step& step, uint32_t output, uint64_t place, const DispatchSink& sink) {
  const Operand scratch = scratch_operand(step);
  const Operand to = output_operand(step, output);
  const Pass pass = {LstmPass::kCopyOut, {scratch, scratch, scratch, to}, place, integer_type(to)};
  const uint64_t count = LstmSizes(step).states();
  return builder_of(step, pass, count).run_invocations(sink, count);
}

bool accepts_quantized_lstm(const Step& step) {
  const LstmSizes sizes(step);
  return sizes.hidden <= Words::kHiddenMax && sizes.words() < kMaxInvocations;
}

uint64_t scratch_bytes_of_quantized_lstm(const Step& step) {
  return LstmSizes(step).words() * sizeof(int32_t);
}

Status emit_quantized_lstm(const Step& step, const DispatchSink& sink) {
  const LstmSizes sizes(step);
  const Operand scratch = scratch_operand(step);
  ARENITE_TRY(copy_in(step, kLstmH, sizes.h(), sink));
  ARENITE_TRY(copy_in(step, kLstmC, sizes.cells(), sink));
  const Pass project = {LstmPass::kProject,
                        {input_operand(step, kLstmX), input_operand(step, kLstmW),
                         input_operand(step, kLstmBias), scratch}};
  ARENITE_TRY(
      builder_of(step, project, sizes.projected()).run_invocations(sink, sizes.projected()));
  const Pass steps = {LstmPass::kSteps,
                      {input_operand(step, kLstmR), scratch, input_operand(step, kLstmTable),
                       output_operand(step, 0)}};
  ARENITE_TRY(builder_of(step, steps, sizes.batch).run_groups(sink, sizes.batch));
  ARENITE_TRY(copy_out(step, 1, sizes.h(), sink));
  return copy_out(step, 2, sizes.cells(), sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kQuantizedLstm,
     .types = types::kAny,
     .accepts = accepts_quantized_lstm,
     .emit = emit_quantized_lstm,
     .scratch_bytes = scratch_bytes_of_quantized_lstm},
};

}  // namespace

std::span<const DispatchRow> quantized_lstm_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

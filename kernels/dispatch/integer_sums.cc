// Fills in both passes of quantised convolutions and matrix products.
#include "kernels/dispatch/integer_sums.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/rules.h"

namespace arenite {
namespace {

// The words of integer_sums.glsl's block: those of the second pass begin here, the shader's own
// there.
constexpr uint32_t kSecondPass = 10;
constexpr uint32_t kOwn = 62;
constexpr uint32_t kParameterWords = 112;

// Multipliers and shifts: of y's dims, or those of the channels.
void strides_over(const Operand& operand, const Operand& y, uint32_t (&strides)[kMaxRank]) {
  for (uint32_t d = 0; d < y.rank; ++d) {
    if (operand.rank == y.rank) {
      strides[d] = operand.strides[d];
    } else {
      strides[d] = d == 1 && operand.dims[0] != 1 ? operand.strides[0] : 0;
    }
  }
}

// Gives the dims of y, the outermost first, strides of a dense tensor in y's order.
void dense_strides(const Operand& y, uint32_t (&strides)[kMaxRank]) {
  uint32_t stride = 1;
  uint32_t done = 0;
  for (uint32_t left = y.rank; left != 0; --left) {
    uint32_t best = kMaxRank;
    for (uint32_t d = y.rank; d-- > 0;) {
      if ((done >> d & 1u) != 0) continue;
      if (best == kMaxRank || y.strides[d] < y.strides[best]) best = d;
    }
    strides[best] = stride;
    stride *= y.dims[best];
    done |= 1u << best;
  }
}

Status emit_results(const Step& step, const IntegerSumStep& operands, Shader shader,
                    const QuantisedProduct& product, const DispatchSink& sink) {
  const Operand multipliers = input_operand(step, kMultipliersInput);
  const Operand shifts = input_operand(step, kShiftsInput);
  const Operand& y = operands.y;
  uint32_t of_multipliers[kMaxRank];
  uint32_t of_shifts[kMaxRank];
  strides_over(multipliers, y, of_multipliers);
  strides_over(shifts, y, of_shifts);
  Loops loops;
  for (uint32_t d = 0; d < y.rank; ++d) {
    loops.add(y.dims[d], operands.sums.strides[d], of_multipliers[d], of_shifts[d], y.strides[d]);
  }
  collapse_dims(loops, 3);
  const Stores stores = stores_of(y, loops, 3, y.skip);
  DispatchBuilder builder(shader);
  builder.buffer(operands.sums.operand).buffer(multipliers).buffer(shifts).buffer(y);
  builder.spec(stores.kind).spec(1).spec(0).spec(0).spec(0).spec(0);
  builder.spec(static_cast<uint32_t>(product.output.rounding));
  builder.push(static_cast<uint32_t>(y.count())).push(y.skip);
  for (uint32_t i = 0; i < kSecondPass; ++i) builder.parameter(0u);
  builder.parameter(shader_rank(loops)).parameter(operands.sums.operand.skip);
  builder.parameter(multipliers.skip).parameter(shifts.skip);
  builder.parameter(static_cast<uint32_t>(product.output.zero_point));
  builder.parameter(static_cast<uint32_t>(product.output.low));
  builder.parameter(static_cast<uint32_t>(product.output.high));
  builder.parameter_loops(loops, 4);
  for (uint32_t i = kOwn; i < kParameterWords; ++i) builder.parameter(0u);
  return builder.run_invocations(sink, stores.invocations);
}

}  // namespace

IntegerSumStep::IntegerSumStep(const Step& step)
    : x(input_operand(step, 0)),
      w(input_operand(step, 1)),
      bias(w),
      y(output_operand(step, 0)),
      has_bias(step.has_input(kBiasInput)) {
  if (has_bias) bias = input_operand(step, kBiasInput);
  sums.are_results = !step.has_input(kMultipliersInput);
  if (sums.are_results) {
    sums.operand = y;
    for (uint32_t d = 0; d < y.rank; ++d) sums.strides[d] = y.strides[d];
  } else {
    if (step.has_scratch()) sums.operand = scratch_operand(step);
    dense_strides(y, sums.strides);
  }
}

bool supports_integer_sums(const Step& step) {
  return !has_wide_sums(step) && !step.has_input(kXZeroPointInput) &&
         !step.has_input(kWZeroPointsInput) && is_strided(input_operand(step, 1));
}

bool are_words_of_four(const Operand& operand, uint32_t axis) {
  return element_bytes(operand.dtype) == 1 && operand.groups_of_four(axis);
}

IntegerSumPass channel_sums(const IntegerSumStep& step, uint32_t groups, Shader shader) {
  const Operand& x = step.x;
  const Operand& w = step.w;
  // Blocks of four outputs span groups of one channel each.
  const bool depthwise = w.dims[1] == 1 && w.dims[0] == groups;
  const uint32_t looped = depthwise ? 1 : groups;
  const uint32_t outputs = w.dims[0] / looped;
  IntegerSumPass pass;
  pass.shader = shader;
  pass.depth = w.dims[1];
  pass.x_step = x.strides[1];
  pass.w_step = w.strides[1];
  pass.words = WordUse::kBytes;
  if (depthwise && are_words_of_four(x, 1) && are_words_of_four(w, 0)) {
    pass.words = WordUse::kOfSums;
  } else if (!depthwise && w.dims[1] % 4 == 0 && are_words_of_four(x, 1) &&
             are_words_of_four(w, 1)) {
    pass.words = WordUse::kOfRuns;
  }
  pass.invocations = (uint64_t{outputs} + 3) / 4 * looped * step.y.dims[0];
  for (uint32_t d = 2; d < step.y.rank; ++d) pass.invocations *= step.y.dims[d];
  pass.add(looped).add(outputs);
  pass.add(depthwise ? x.strides[1] : 0).add(depthwise ? 0 : w.dims[1] * x.strides[1]);
  pass.add(x.strides[0]).add(w.strides[0]);
  pass.add(step.sums.strides[0]).add(step.sums.strides[1]);
  pass.add(step.has_bias ? step.bias.strides[0] : 0);
  return pass;
}

uint64_t scratch_bytes_of_integer_sums(const Step& step) {
  return step.has_input(kMultipliersInput) ? output_operand(step, 0).count() * sizeof(int32_t) : 0;
}

Status emit_integer_sums(const Step& step, const IntegerSumStep& operands,
                         const IntegerSumPass& pass, const QuantisedProduct& product,
                         const DispatchSink& sink) {
  DispatchBuilder builder(pass.shader);
  builder.buffer(operands.x).buffer(operands.w).buffer(operands.bias).buffer(operands.sums.operand);
  builder.spec(element_type(operands.bias)).spec(0);
  builder.spec(integer_type(operands.x)).spec(integer_type(operands.w)).spec(operands.has_bias);
  builder.spec(static_cast<uint32_t>(pass.words)).spec(0);
  builder.push(static_cast<uint32_t>(pass.invocations)).push(0u);
  builder.parameter(pass.depth).parameter(pass.x_step).parameter(pass.w_step);
  builder.parameter(static_cast<uint32_t>(product.x_zero_point));
  builder.parameter(static_cast<uint32_t>(product.w_zero_point)).parameter(pass.above);
  builder.parameter(operands.x.skip).parameter(operands.w.skip).parameter(operands.bias.skip);
  builder.parameter(operands.sums.operand.skip);
  for (uint32_t i = kSecondPass; i < kOwn; ++i) builder.parameter(0u);
  for (uint32_t i = 0; kOwn + i < kParameterWords; ++i) {
    builder.parameter(i < pass.own_count ? pass.own[i] : 0u);
  }
  ARENITE_TRY(builder.run_invocations(sink, pass.invocations));
  if (operands.sums.are_results) return ok_status();
  return emit_results(step, operands, pass.shader, product, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

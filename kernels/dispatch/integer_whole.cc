// Fills in the one dispatch of quantized convolutions and matrix products.
#include "kernels/dispatch/integer_whole.h"

#include "kernels/dispatch/binding.h"
#include "kernels/dispatch/integers.h"
#include "kernels/shaders/shared/each_element.h"

namespace arenite {
namespace {

// For whichever shader.
struct WholeDispatch {
  shaders::WholeSpec spec;
  shaders::WholePush push;
  struct {
    shaders::WholeWords whole;
    OwnWords own;
  } parameters;
};

// The stride of multipliers or shifts from one output channel to the next; kNoIndex where they
// differ along another axis of y.
uint32_t channel_stride(const Operand& ends, const Operand& y, uint32_t axis) {
  uint32_t strides[kMaxRank];
  strides_over(ends, y, strides);
  for (uint32_t d = 0; d < y.rank; ++d) {
    if (d != axis && y.dims[d] != 1 && strides[d] != 0) return kNoIndex;
  }
  return strides[axis];
}

bool is_end(const Step& step, uint32_t input, const Operand& y, uint32_t axis) {
  return is_uniform(step.bindings(), step.input_value(input)) &&
         channel_stride(input_operand(step, input), y, axis) != kNoIndex;
}

}  // namespace

WholeTile whole_tile(uint32_t choice) {
  if (choice <= kSlicesLogMax) return {.slices_log = choice};
  if (choice <= kSlicesLogMax + kPlacesLogMax) return {.places_log = choice - kSlicesLogMax};
  const uint32_t both = choice - kSlicesLogMax - kPlacesLogMax - 1;
  return {.slices_log = 1 + both % kSlicesLogMax, .places_log = 1 + both / kSlicesLogMax};
}

uint32_t choose_whole_slices(const IntegerSumPass& pass, uint64_t taps) {
  if (pass.words == WordUse::kWordsOfRuns) {
    return choose_slices(pass.invocations, pass.depth / 4, taps);
  }
  // Loads of four words: two are as much as four of one.
  if (pass.words != WordUse::kVectorsOfRuns) return 0;
  return choose_slices(pass.invocations, pass.depth / 16, taps, 2);
}

bool accepts_whole(const Step& step, uint32_t axis) {
  if (!accepts_integer_sums(step) || !step.has_input(kMultipliersInput) || has_wide_sums(step) ||
      step.has_input(kXZeroPointInput) || step.has_input(kWZeroPointsInput)) {
    return false;
  }
  const Operand y = output_operand(step, 0);
  return is_end(step, kMultipliersInput, y, axis) && is_end(step, kShiftsInput, y, axis);
}

WordUse words_of_whole(const IntegerSumStep& operands, const IntegerSumPass& pass, bool same_x,
                       uint32_t x_axis, uint32_t w_axis) {
  if (pass.words == WordUse::kBytes) return same_x ? WordUse::kBytesOfRuns : WordUse::kBytes;
  if (pass.words != WordUse::kWordsOfRuns) return pass.words;
  const bool vectors = pass.depth % 16 == 0 && operands.w.layout == Layout::kStrided &&
                       has_vectors(operands.x, x_axis) && has_vectors(operands.w, w_axis);
  return vectors ? WordUse::kVectorsOfRuns : WordUse::kWordsOfRuns;
}

Status emit_whole(const Step& step, const IntegerSumStep& operands, const IntegerSumPass& pass,
                  uint32_t axis, const OwnWords& own, const QuantizedProduct& product,
                  const DispatchSink& sink) {
  const WholeTile tile = whole_tile(step.record().choice);
  const Operand multipliers = input_operand(step, kMultipliersInput);
  const Operand shifts = input_operand(step, kShiftsInput);
  const Operand& y = operands.y;
  const bool packed = operands.w.layout == Layout::kPacked4;
  const bool whole_words =
      element_bytes(y.dtype) == 1 && pass.outputs % 4 == 0 && y.groups_of_four(axis);
  DispatchBuilder builder(
      pass.shader,
      WholeDispatch{
          .spec = {.store = element_type(y) | (whole_words ? shaders::kRun : 0u),
                   .type_x = integer_type(operands.x),
                   .type_w = integer_type(operands.w) | (packed ? shaders::kPacked4 : 0u),
                   .has_bias = operands.bias.there,
                   .words = pass.words,
                   .rounding = product.output.rounding,
                   .slices = 1u << tile.slices_log,
                   .places = 1u << tile.places_log},
          .push = {.count = static_cast<uint32_t>(pass.invocations)},
          .parameters = {.whole = {.depth = pass.depth,
                                   .x_step = pass.x_step,
                                   .w_step = pass.w_step,
                                   .x_zero = product.x_zero_point,
                                   .w_zero = product.w_zero_point,
                                   .above = pass.above,
                                   .x_skip = operands.x.skip,
                                   .w_skip = operands.w.skip,
                                   .bias_skip = operands.bias.skip,
                                   .sum_skip = y.skip,
                                   .x_zero_skip = 0u,
                                   .w_zero_skip = 0u,
                                   .multiplier_skip = multipliers.skip,
                                   .multiplier_stride = channel_stride(multipliers, y, axis),
                                   .shift_skip = shifts.skip,
                                   .shift_stride = channel_stride(shifts, y, axis),
                                   .output = output_words(product.output)},
                         .own = own}});
  builder.buffer(operands.x).buffer(operands.w).buffer(operands.numbers).buffer(y);
  builder.uniform(multipliers).uniform(shifts);
  return builder.run_invocations(sink, pass.invocations << tile.slices_log);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

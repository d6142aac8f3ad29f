// Fills in the passes of quantized convolutions and matrix products.
#include "kernels/dispatch/integer_sums.h"

#include <initializer_list>

#include "kernels/dispatch/integers.h"

namespace arenite {
namespace {

using shaders::SumPass;

// kStore for words, one by one.
constexpr auto kWordStores = static_cast<uint32_t>(shaders::ElementType::kInt);

// The words of the pass of sums, and of those that go element by element, for whichever shader.
struct SumPassWords {
  shaders::IntegerSumsSpec spec;
  shaders::IntegerSumsPush push;
  struct {
    shaders::SumWords sums;
    OwnWords own;
  } parameters;
};
struct ElementPassWords {
  shaders::IntegerSumsSpec spec;
  shaders::IntegerSumsPush push;
  shaders::ElementWords parameters;
};
static_assert(sizeof(SumPassWords) == sizeof(ElementPassWords));

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

// A pass that goes element by element, from the first buffer to the last.
struct ElementPass {
  Shader shader;
  SumPass pass;
  uint32_t type;  // of the first
  uint32_t first_skip, multiplier_skip, shift_skip, y_skip;
  WordUse words = WordUse::kBytes;
  Requantization output = {};
};

DispatchBuilder element_pass(const ElementPass& pass, const Stores& stores, const Loops& loops) {
  return DispatchBuilder(pass.shader,
                         ElementPassWords{.spec = {.store = stores.kind,
                                                   .pass = pass.pass,
                                                   .type_x = pass.type,
                                                   .type_w = 0u,
                                                   .has_bias = false,
                                                   .words = pass.words,
                                                   .rounding = pass.output.rounding,
                                                   .given = 0u,
                                                   .slices = 1u},
                                          .push = {.count = static_cast<uint32_t>(loops.count()),
                                                   .y_skip = pass.y_skip},
                                          .parameters = {.rank = shader_rank(loops),
                                                         .first_skip = pass.first_skip,
                                                         .multiplier_skip = pass.multiplier_skip,
                                                         .shift_skip = pass.shift_skip,
                                                         .output = output_words(pass.output),
                                                         .walk = loops}});
}

Status emit_results(const Step& step, const IntegerSumStep& operands, Shader shader,
                    const QuantizedProduct& product, const DispatchSink& sink) {
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
  const ElementPass pass = {.shader = shader,
                            .pass = SumPass::kResults,
                            .type = 0,
                            .first_skip = operands.sums.operand.skip,
                            .multiplier_skip = multipliers.skip,
                            .shift_skip = shifts.skip,
                            .y_skip = y.skip,
                            .words = operands.wide ? WordUse::kWide : WordUse::kBytes,
                            .output = product.output};
  const Stores stores = stores_of(y, loops, 3, y.skip);
  DispatchBuilder builder = element_pass(pass, stores, loops);
  builder.buffer(operands.sums.operand).buffer(multipliers).buffer(shifts).buffer(y);
  return builder.run_invocations(sink, stores.invocations);
}

// Writes an operand's numbers to their place in scratch.
Status emit_numbers(const SumNumbers& numbers, const Operand& scratch, Shader shader,
                    const DispatchSink& sink) {
  if (!numbers.there) return ok_status();
  const Operand& from = numbers.operand;
  const uint32_t words = words_each(from);
  Loops loops;
  for (uint32_t d = 0; d < from.rank; ++d) {
    if (numbers.strides[d] != 0) {
      loops.add(from.dims[d], from.strides[d] * words, 0, 0, numbers.strides[d]);
    }
  }
  loops.add(words, 1, 0, 0, 1);
  collapse_dims(loops, 3);
  const ElementPass pass = {.shader = shader,
                            .pass = SumPass::kNumbers,
                            .type = integer_type(from),
                            .first_skip = skip_of(from),
                            .multiplier_skip = 0,
                            .shift_skip = 0,
                            .y_skip = numbers.skip};
  DispatchBuilder builder = element_pass(pass, {kWordStores, loops.count()}, loops);
  builder.buffer(from).buffer(from).buffer(from).buffer(scratch);
  return builder.run_invocations(sink, loops.count());
}

}  // namespace

void strides_over(const Operand& operand, const Operand& y, uint32_t (&strides)[kMaxRank]) {
  for (uint32_t d = 0; d < y.rank; ++d) {
    if (operand.rank == y.rank) {
      strides[d] = operand.strides[d];
    } else {
      strides[d] = d == 1 && operand.dims[0] != 1 ? operand.strides[0] : 0;
    }
  }
}

IntegerSumStep::IntegerSumStep(const Step& step, SumsIn sums_in)
    : x(input_operand(step, 0)),
      w(input_operand(step, 1)),
      y(output_operand(step, 0)),
      wide(has_wide_sums(step)),
      gives_zeros(step.has_input(kXZeroPointInput) || step.has_input(kWZeroPointsInput)) {
  Operand scratch;
  if (step.has_scratch()) scratch = scratch_operand(step);
  sums.are_results = sums_in == SumsIn::kRegisters || !step.has_input(kMultipliersInput);
  if (sums.are_results) {
    sums.operand = y;
    for (uint32_t d = 0; d < y.rank; ++d) sums.strides[d] = y.strides[d];
  } else {
    sums.operand = scratch;
    dense_strides(y, sums.strides);
    scratch_words = y.count();
    if (wide) {
      for (uint32_t d = 0; d < y.rank; ++d) sums.strides[d] *= 2;
      scratch_words *= 2;
    }
  }
  const auto take = [&](SumNumbers& taken, uint32_t input) {
    taken.there = step.has_input(input);
    if (!taken.there) return;
    taken.operand = input_operand(step, input);
    taken.skip = skip_of(taken.operand);
    const uint32_t words = words_each(taken.operand);
    uint64_t dense = words;
    for (uint32_t d = taken.operand.rank; d-- > 0;) {
      const uint32_t stride = taken.operand.dims[d] == 1 ? 0 : taken.operand.strides[d];
      taken.strides[d] = stride != 0 && gives_zeros ? static_cast<uint32_t>(dense) : stride * words;
      if (stride != 0) dense *= taken.operand.dims[d];
    }
    if (!gives_zeros) return;
    taken.skip = scratch.skip + static_cast<uint32_t>(scratch_words);
    scratch_words += dense;
  };
  take(bias, kBiasInput);
  take(x_zero, kXZeroPointInput);
  take(w_zeros, kWZeroPointsInput);
  numbers = gives_zeros ? scratch : bias.there ? bias.operand : w;
}

bool accepts_integer_sums(const Step& step) {
  return input_operand(step, 1).layout != Layout::kPanel16;
}

bool are_words_of_four(const Operand& operand, uint32_t axis) {
  return element_bytes(operand.dtype) == 1 && operand.groups_of_four(axis);
}

bool has_vectors(const Operand& operand, uint32_t axis) {
  if (operand.skip % 16 != 0) return false;
  for (uint32_t d = 0; d < operand.rank; ++d) {
    if (d != axis && operand.dims[d] != 1 && operand.strides[d] % 16 != 0) return false;
  }
  return true;
}

ChannelSums channel_sums(const IntegerSumStep& step, uint32_t groups, Shader shader) {
  const Operand& x = step.x;
  const Operand& w = step.w;
  // Blocks of four outputs span groups of one channel each.
  const bool depthwise = w.dims[1] == 1 && w.dims[0] == groups;
  const uint32_t looped = depthwise ? 1 : groups;
  const uint32_t outputs = w.dims[0] / looped;
  IntegerSumPass pass;
  pass.shader = shader;
  pass.outputs = outputs;
  pass.depth = w.dims[1];
  pass.x_step = x.strides[1];
  pass.w_step = w.strides[1];
  pass.words = WordUse::kBytes;
  if (depthwise && are_words_of_four(x, 1) && are_words_of_four(w, 0)) {
    pass.words = WordUse::kWordsOfSums;
  } else if (!depthwise && w.dims[1] != 0 && w.dims[1] % 4 == 0 && are_words_of_four(x, 1) &&
             are_words_of_four(w, 1)) {
    pass.words = WordUse::kWordsOfRuns;
  }
  pass.invocations = (uint64_t{outputs} + 3) / 4 * looped * step.y.dims[0];
  for (uint32_t d = 2; d < step.y.rank; ++d) pass.invocations *= step.y.dims[d];
  return {pass,
          {.groups = looped,
           .group_outputs = outputs,
           .lanes = depthwise ? x.strides[1] : 0u,
           .group_stride = depthwise ? 0u : w.dims[1] * x.strides[1],
           .x_image = x.strides[0],
           .w_output = w.strides[0],
           .sum_image = step.sums.strides[0],
           .sum_output = step.sums.strides[1],
           .bias_stride = step.bias.strides[0],
           .w_zero_stride = step.w_zeros.strides[0]}};
}

uint32_t choose_sum_slices(const IntegerSumStep& step, const IntegerSumPass& pass, uint64_t taps) {
  if (step.wide || pass.words != WordUse::kWordsOfRuns) return 0;
  return choose_slices(pass.invocations, pass.depth / 4, taps);
}

uint64_t scratch_bytes_of_integer_sums(const Step& step) {
  return IntegerSumStep(step).scratch_words * sizeof(int32_t);
}

Status emit_integer_sums(const Step& step, const IntegerSumStep& operands,
                         const IntegerSumPass& pass, const OwnWords& own,
                         const QuantizedProduct& product, const DispatchSink& sink) {
  if (operands.gives_zeros) {
    for (const SumNumbers* numbers : {&operands.bias, &operands.x_zero, &operands.w_zeros}) {
      ARENITE_TRY(emit_numbers(*numbers, operands.numbers, pass.shader, sink));
    }
  }
  const WordUse words = operands.wide ? WordUse::kWide : pass.words;
  const uint32_t slices_log = words == WordUse::kWordsOfRuns ? step.record().choice : 0;
  const bool x_given = operands.x_zero.there, w_given = operands.w_zeros.there;
  const uint32_t packed = operands.w.layout == Layout::kPacked4 ? shaders::kPacked4 : 0u;
  DispatchBuilder builder(
      pass.shader,
      SumPassWords{.spec = {.store = kWordStores,
                            .pass = SumPass::kSums,
                            .type_x = integer_type(operands.x),
                            .type_w = integer_type(operands.w) | packed,
                            .has_bias = operands.bias.there,
                            .words = words,
                            .rounding = Rounding::kTfliteDouble,
                            .given = (x_given ? 1u : 0u) | (w_given ? 2u : 0u),
                            .slices = 1u << slices_log},
                   .push = {.count = static_cast<uint32_t>(pass.invocations), .y_skip = 0u},
                   .parameters = {.sums = {.depth = pass.depth,
                                           .x_step = pass.x_step,
                                           .w_step = pass.w_step,
                                           .x_zero = product.x_zero_point,
                                           .w_zero = product.w_zero_point,
                                           // Elements given at run time lie outside x too.
                                           .above = x_given ? 0u : pass.above,
                                           .x_skip = operands.x.skip,
                                           .w_skip = operands.w.skip,
                                           .bias_skip = operands.bias.skip,
                                           .sum_skip = operands.sums.operand.skip,
                                           .x_zero_skip = operands.x_zero.skip,
                                           .w_zero_skip = operands.w_zeros.skip},
                                  .own = own}});
  builder.buffer(operands.x).buffer(operands.w).buffer(operands.numbers);
  builder.buffer(operands.sums.operand);
  ARENITE_TRY(builder.run_invocations(sink, pass.invocations << slices_log));
  if (operands.sums.are_results) return ok_status();
  return emit_results(step, operands, pass.shader, product, sink);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

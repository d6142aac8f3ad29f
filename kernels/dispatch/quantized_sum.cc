// Sums and means of integers along axes, through quantized_sum.comp.
#include "kernels/shaders/quantized_sum.h"

#include "kernels/dispatch/integers.h"
#include "kernels/dispatch/row_files.h"
#include "kernels/dispatch/rows.h"

namespace arenite {
namespace {

uint32_t axes_of(const Step& step) { return step.attributes<QuantizedSumAttributes>().axes; }

// Choices behind those of other operators: a group does four rows side by side, in one pass or in
// the first of two.
constexpr uint32_t kOfWords = kInTwoPasses + 1, kOfWordsInTwoPasses = kInTwoPasses + 2;

// Elements of a row from which on words of four rows take less time than a group for each row: on
// an H200 240 rows of 784 elements take 8.3 us instead of 9.8, 1152 rows of 49 elements 7.3 instead
// of 5.8.
constexpr uint64_t kManyElements = 512;

bool has_two_passes(const Step& step) {
  return step.record().choice == kInTwoPasses || step.record().choice == kOfWordsInTwoPasses;
}

bool is_of_words(const Step& step) { return step.record().choice >= kOfWords; }

// Both passes; the second takes what the first makes.
RowsInTwo two_passes(const Step& step) {
  return rows_in_two_passes(step, axes_of(step), DType::kInt32);
}

bool accepts_quantized_sum(const Step& step) {
  const bool two = has_two_passes(step);
  if (two && (input_operand(step, 0).count() == 0 || axes_of(step) == 0)) return false;
  return !is_of_words(step) ||
         (two ? two_passes(step).first.words : rows_along(step, axes_of(step)).words);
}

uint32_t choose_quantized_sum(const Step& step, const Capabilities&) {
  if (pays_in_two_passes(step, axes_of(step))) {
    return two_passes(step).first.words ? kOfWordsInTwoPasses : kInTwoPasses;
  }
  const uint32_t choice = choose_rows(step, axes_of(step));
  const Rows rows = rows_along(step, axes_of(step));
  return choice == 1 && rows.words && rows.elements >= kManyElements ? kOfWords : choice;
}

uint64_t scratch_bytes_of_quantized_sum(const Step& step) {
  return has_two_passes(step) ? bytes_between_passes(step, axes_of(step)) : 0;
}

enum class Pass { kOnly, kFirst, kSecond };

Status emit_pass(const Step& step, const Rows& rows, Pass pass, const DispatchSink& sink) {
  const auto attributes = step.attributes<QuantizedSumAttributes>();
  const uint64_t results = output_operand(step, 0).count();
  const uint64_t count = results == 0 ? 0 : input_operand(step, 0).count() / results;
  const bool words = is_of_words(step) && pass != Pass::kSecond;
  DispatchBuilder builder(
      shaders::QuantizedSum{.spec = {.group = rows.group || words,
                                     .op = step.op(),
                                     .type = integer_type(rows.x),
                                     .type_y = integer_type(rows.y),
                                     .parts = pass == Pass::kFirst,
                                     .words = words,
                                     .rounding = attributes.output.rounding},
                            .push = rows.push,
                            .parameters = {.count = static_cast<uint32_t>(count),
                                           .x_zero_point = attributes.x_zero_point,
                                           .multiplier = attributes.multiplier,
                                           .shift = attributes.shift,
                                           .output = output_words(attributes.output)}});
  builder.buffer(rows.x).buffer(rows.y);
  return words ? builder.run_groups(sink, rows.count / 4) : run_rows(rows, builder, sink);
}

Status emit_quantized_sum(const Step& step, const DispatchSink& sink) {
  if (!has_two_passes(step)) {
    return emit_pass(step, rows_along(step, axes_of(step)), Pass::kOnly, sink);
  }
  const RowsInTwo rows = two_passes(step);
  ARENITE_TRY(emit_pass(step, rows.first, Pass::kFirst, sink));
  return emit_pass(step, rows.rest, Pass::kSecond, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 0,
     .shader = Shader::kQuantizedSum,
     .types = types::kAny,
     .accepts = accepts_quantized_sum,
     .emit = emit_quantized_sum,
     .choices = kOfWordsInTwoPasses + 1,
     .choose = choose_quantized_sum,
     .scratch_bytes = scratch_bytes_of_quantized_sum},
};

}  // namespace

std::span<const DispatchRow> quantized_sum_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

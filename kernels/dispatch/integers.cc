// The dispatch of integer.comp: an invocation for each element, or for as many as a word holds.
#include "kernels/dispatch/integers.h"
#include "kernels/shaders/integer.h"

namespace arenite {
IntegerWords words_of(const Requantization& output) {
  IntegerWords words;
  words.zero_point = output.zero_point;
  words.low = output.low;
  words.high = output.high;
  return words;
}

Status emit_integers(const Step& step, const IntegerWork& work, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const Operand a = work.a != kNoIndex ? input_operand(step, work.a) : x;
  const Operand b = work.b != kNoIndex ? input_operand(step, work.b) : x;
  const uint32_t words = words_each(y);
  Loops loops;
  for (uint32_t d = 0; d < y.rank; ++d) {
    const bool walks_a = work.a != kNoIndex && !work.table;
    loops.add(y.dims[d], x.strides[d], walks_a ? a.strides[d] : 0,
              work.b != kNoIndex ? b.strides[d] : 0, y.strides[d] * words);
  }
  // The words of an element lie side by side in a table too.
  loops.add(words, 0, 1, 0, 1);
  collapse_dims(loops, 3);
  const uint32_t y_skip = skip_of(y);
  const Stores stores = stores_of(y, loops, 3, y_skip);
  const IntegerWords& by = work.words;
  DispatchBuilder builder(shaders::Integer{
      .spec = {.store = stores.kind,
               .op = step.op(),
               .type_x = integer_type(x),
               .type_b = work.type_b,
               .has_zero_point = work.b != kNoIndex,
               .rounding = work.rounding,
               .between = work.between},
      .push = {.count = static_cast<uint32_t>(loops.count()), .y_skip = y_skip},
      .parameters = {.rank = loops.rank,
                     .x_skip = x.skip,
                     .a_skip = skip_of(a),
                     .b_skip = b.skip,
                     .scaled = {.zero_points = by.zero_points,
                                .multipliers = by.multipliers,
                                .shifts = by.shifts,
                                .left_shift = by.left_shift,
                                .sum_kind = by.sum_kind},
                     .output = {.output_zero_point = by.zero_point, .low = by.low, .high = by.high},
                     .table_stride = by.table_stride,
                     .lowest = by.lowest,
                     .walk = loops}});
  builder.buffer(x).buffer(a).buffer(b).buffer(y);
  return builder.run_invocations(sink, stores.invocations);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

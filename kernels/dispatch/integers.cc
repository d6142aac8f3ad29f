// The dispatch of integer.comp: an invocation for each element, or for as many as a word holds.
#include "kernels/dispatch/integers.h"

namespace arenite {
namespace {

// Words of the block before the loops.
constexpr uint32_t kWalk = 20;

void add_words(DispatchBuilder& builder, const IntegerWords& words) {
  const auto add = [&](int32_t number) { builder.parameter(static_cast<uint32_t>(number)); };
  for (const int32_t zero_point : words.zero_points) add(zero_point);
  for (const int32_t multiplier : words.multipliers) add(multiplier);
  for (const int32_t shift : words.shifts) add(shift);
  builder.parameter(words.left_shift).parameter(words.sum_kind);
  add(words.zero_point);
  add(words.low);
  add(words.high);
  builder.parameter(words.table_stride);
  add(words.lowest);
  add(0);
  static_assert(4 + sizeof(IntegerWords) / 4 + 1 == kWalk);
}

}  // namespace

IntegerWords words_of(const Requantisation& output) {
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
  DispatchBuilder builder(Shader::kInteger);
  builder.buffer(x).buffer(a).buffer(b).buffer(y);
  builder.spec(stores.kind).spec(static_cast<uint32_t>(step.op())).spec(integer_type(x));
  builder.spec(work.type_b).spec(work.b != kNoIndex).spec(static_cast<uint32_t>(work.rounding));
  builder.spec(work.between);
  builder.push(static_cast<uint32_t>(loops.count())).push(y_skip);
  builder.parameter(loops.rank).parameter(x.skip).parameter(skip_of(a)).parameter(b.skip);
  add_words(builder, work.words);
  builder.parameter_loops(loops, 4).fill_parameters();
  return builder.run_invocations(sink, stores.invocations);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

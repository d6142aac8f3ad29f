// ReverseSequence through reverse_sequence.comp: elements of any type, of which those of eight
// bytes are two words.
#include "kernels/shaders/reverse_sequence.h"

#include "kernels/dispatch/elements.h"
#include "kernels/dispatch/index_check.h"
#include "kernels/dispatch/row_files.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

// A length may be the whole axis.
Status check_reverse_sequence(const Step& step, const DispatchSink& sink) {
  const uint32_t time = step.attributes<ReverseSequenceAttributes>().time_axis;
  const uint32_t steps = output_operand(step, 0).dims[time];
  return emit_index_check({.indices = input_operand(step, 1), .sizes = {steps + 1}}, sink);
}

Status emit_reverse_sequence(const Step& step, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand lengths = input_operand(step, 1);
  const Operand y = output_operand(step, 0);
  const auto [batch, time] = step.attributes<ReverseSequenceAttributes>();
  const uint32_t words = words_each(y);
  const uint32_t length_words = words_each(lengths);
  Loops loops;
  for (uint32_t d = 0; d < y.rank; ++d) {
    loops.add(y.dims[d], d == time ? 0 : x.strides[d] * words,
              d == batch ? lengths.strides[0] * length_words : 0, y.strides[d] * words,
              d == time ? 1 : 0);
  }
  loops.add(words, 1, 0, 1);
  collapse_dims(loops, 2);
  const Stores stores = stores_of(y, loops, 2, skip_of(y));
  DispatchBuilder builder(shaders::ReverseSequence{
      .spec = {.store = stores.kind, .type = element_type(y), .wide = length_words == 2},
      .push = {.count = static_cast<uint32_t>(loops.count()),
               .rank = loops.rank,
               .x_skip = skip_of(x),
               .lengths_skip = skip_of(lengths),
               .y_skip = skip_of(y),
               .steps = y.dims[time],
               .x_time_stride = x.strides[time] * words},
      .parameters = {.walk = loops}});
  builder.buffer(x).buffer(lengths).buffer(y);
  return builder.run_invocations(sink, stores.invocations);
}

constexpr DispatchRow kRows[] = {
    {.form = 1,
     .shader = Shader::kReverseSequence,
     .types = types::kAny,
     .emit = emit_reverse_sequence,
     .check = check_reverse_sequence},
    {.form = 0,
     .shader = Shader::kReverseSequence,
     .types = types::kAny,
     .emit = emit_reverse_sequence},
};

}  // namespace

std::span<const DispatchRow> reverse_sequence_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

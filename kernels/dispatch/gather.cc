// Picks slices of the data by run-time indices, through gather.comp: elements of any type, of which
// those of eight bytes are two words.
#include "kernels/dispatch/elements.h"
#include "kernels/dispatch/index_check.h"
#include "kernels/dispatch/rules.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kRankMax = 6;  // what three operands' strides leave of the push words

}  // namespace

// Indices are int32 in the shader.
bool supports_gather(const Step& step) {
  return input_operand(step, 0).dims[step.attributes<GatherAttributes>().axis] <= 0x7fffffffu;
}

Status check_gather(const Step& step, const DispatchSink& sink) {
  const uint32_t axis = step.attributes<GatherAttributes>().axis;
  return emit_index_check({.indices = input_operand(step, 1),
                           .from_end = true,
                           .sizes = {input_operand(step, 0).dims[axis]}},
                          sink);
}

Status emit_gather(const Step& step, const DispatchSink& sink) {
  const Operand data = input_operand(step, 0);
  const Operand indices = input_operand(step, 1);
  const Operand y = output_operand(step, 0);
  const uint32_t axis = step.attributes<GatherAttributes>().axis;
  const uint32_t words = words_each(data);
  const uint32_t index_words = words_each(indices);
  Loops loops, outer;
  for (uint32_t d = 0; d < y.rank; ++d) {
    if (d < axis) {
      loops.add(y.dims[d], data.strides[d] * words, 0, y.strides[d] * words);
    } else if (d < axis + indices.rank) {
      loops.add(y.dims[d], 0, indices.strides[d - axis] * index_words, y.strides[d] * words);
    } else {
      loops.add(y.dims[d], data.strides[d - indices.rank + 1] * words, 0, y.strides[d] * words);
    }
  }
  loops.add(words, 1, 0, 1);
  collapse_dims(loops, 2);
  split_outer(loops, kRankMax, outer);
  return for_each_outer(outer, [&](const uint32_t* offsets) {
    const uint32_t y_skip = skip_of(y) + offsets[2];
    const Stores stores = stores_of(y, loops, 2, y_skip);
    DispatchBuilder builder(Shader::kGather);
    builder.buffer(data).buffer(indices).buffer(y);
    builder.spec(stores.kind).spec(index_words == 2).spec(element_type(data));
    builder.push(static_cast<uint32_t>(loops.count())).push(shader_rank(loops));
    builder.push(skip_of(data) + offsets[0]).push(skip_of(indices) + offsets[1]).push(y_skip);
    builder.push(data.dims[axis]).push(data.strides[axis] * words);
    builder.push_loops(loops, kRankMax, 3);
    return builder.run_invocations(sink, stores.invocations);
  });
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

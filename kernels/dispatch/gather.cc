// Picks slices of the data by run-time indices, through gather.comp: elements of any type, of which
// those of eight bytes are two words.
#include "kernels/shaders/gather.h"

#include "kernels/dispatch/elements.h"
#include "kernels/dispatch/index_check.h"
#include "kernels/dispatch/row_files.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

constexpr uint32_t kRankMax = 6;  // what three operands' strides leave of the push words

// Indices are int32 in the shader.
bool accepts_gather(const Step& step) {
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
    DispatchBuilder builder(shaders::Gather{
        .spec = {.store = stores.kind, .wide = index_words == 2, .type = element_type(data)},
        .push = {.count = static_cast<uint32_t>(loops.count()),
                 .rank = shader_rank(loops),
                 .data_skip = skip_of(data) + offsets[0],
                 .indices_skip = skip_of(indices) + offsets[1],
                 .y_skip = y_skip,
                 .axis_size = data.dims[axis],
                 .axis_stride = data.strides[axis] * words,
                 .dims = shaders::dims_of(loops),
                 .data_strides = shaders::strides_of(loops, 0),
                 .indices_strides = shaders::strides_of(loops, 1),
                 .y_strides = shaders::strides_of(loops, 2)}});
    builder.buffer(data).buffer(indices).buffer(y);
    return builder.run_invocations(sink, stores.invocations);
  });
}

constexpr DispatchRow kRows[] = {
    {.form = 1,
     .shader = Shader::kGather,
     .types = types::kAny,
     .accepts = accepts_gather,
     .emit = emit_gather,
     .check = check_gather},
    {.form = 0,
     .shader = Shader::kGather,
     .types = types::kAny,
     .accepts = accepts_gather,
     .emit = emit_gather},
};

}  // namespace

std::span<const DispatchRow> gather_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

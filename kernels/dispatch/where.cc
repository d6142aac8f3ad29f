// Chooses between two operands by a third, through where.comp: elements of any type, of which those
// of eight bytes are two words.
#include "kernels/shaders/where.h"

#include "kernels/dispatch/elements.h"
#include "kernels/dispatch/row_files.h"

namespace arenite {
namespace {

constexpr uint32_t kRankMax = 5;  // what four operands' strides leave of the push words

Status emit_where(const Step& step, const DispatchSink& sink) {
  const Operand condition = input_operand(step, 0);
  const Operand a = input_operand(step, 1);
  const Operand b = input_operand(step, 2);
  const Operand y = output_operand(step, 0);
  const uint32_t words = words_each(y);
  Loops loops, outer;
  for (uint32_t d = 0; d < y.rank; ++d) {
    loops.add(y.dims[d], condition.strides[d], a.strides[d] * words, b.strides[d] * words,
              y.strides[d] * words);
  }
  loops.add(words, 0, 1, 1, 1);
  collapse_dims(loops, 3);
  split_outer(loops, kRankMax, outer);
  return for_each_outer(outer, [&](const uint32_t* offsets) {
    const uint32_t y_skip = skip_of(y) + offsets[3];
    const Stores stores = stores_of(y, loops, 3, y_skip);
    DispatchBuilder builder(
        shaders::Where{.spec = {.store = stores.kind, .type = element_type(y)},
                       .push = {.count = static_cast<uint32_t>(loops.count()),
                                .rank = shader_rank(loops),
                                .condition_skip = condition.skip + offsets[0],
                                .a_skip = skip_of(a) + offsets[1],
                                .b_skip = skip_of(b) + offsets[2],
                                .y_skip = y_skip,
                                .dims = shaders::dims_of(loops),
                                .condition_strides = shaders::strides_of(loops, 0),
                                .a_strides = shaders::strides_of(loops, 1),
                                .b_strides = shaders::strides_of(loops, 2),
                                .y_strides = shaders::strides_of(loops, 3)}});
    builder.buffer(condition).buffer(a).buffer(b).buffer(y);
    return builder.run_invocations(sink, stores.invocations);
  });
}

constexpr DispatchRow kRows[] = {
    {.form = 0, .shader = Shader::kWhere, .types = types::kAny, .emit = emit_where},
};

}  // namespace

std::span<const DispatchRow> where_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

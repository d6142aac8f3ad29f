// OneHot through one_hot.comp: elements of any type, of which those of eight bytes are two words.
#include "kernels/shaders/one_hot.h"

#include "kernels/dispatch/elements.h"
#include "kernels/dispatch/row_files.h"
#include "ops/attributes.h"

namespace arenite {
namespace {

Status emit_one_hot(const Step& step, const DispatchSink& sink) {
  const Operand indices = input_operand(step, 0);
  const Operand values = input_operand(step, 1);
  const Operand y = output_operand(step, 0);
  const uint32_t axis = step.attributes<OneHotAttributes>().axis;
  const uint32_t words = words_each(y);
  const uint32_t index_words = words_each(indices);
  Loops loops;
  for (uint32_t d = 0; d < y.rank; ++d) {
    const uint32_t of_index = d == axis ? 0 : indices.strides[d < axis ? d : d - 1] * index_words;
    loops.add(y.dims[d], of_index, 0, y.strides[d] * words, d == axis ? 1 : 0);
  }
  loops.add(words, 0, 1, 1);
  collapse_dims(loops, 2);
  const Stores stores = stores_of(y, loops, 2, skip_of(y));
  DispatchBuilder builder(shaders::OneHot{
      .spec = {.store = stores.kind, .type = element_type(y), .wide = index_words == 2},
      .push = {.count = static_cast<uint32_t>(loops.count()),
               .rank = loops.rank,
               .indices_skip = skip_of(indices),
               .values_skip = skip_of(values),
               .y_skip = skip_of(y),
               .depth = y.dims[axis],
               .values_stride = values.strides[0] * words},
      .parameters = {.walk = loops}});
  builder.buffer(indices).buffer(values).buffer(y);
  return builder.run_invocations(sink, stores.invocations);
}

constexpr DispatchRow kRows[] = {
    {.form = 0, .shader = Shader::kOneHot, .types = types::kAny, .emit = emit_one_hot},
};

}  // namespace

std::span<const DispatchRow> one_hot_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

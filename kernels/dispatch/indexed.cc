// Family indexed, through indexed.comp: elements of any type, of which those of eight bytes are two
// words. A scatter copies its data first.
#include "kernels/shaders/indexed.h"

#include "kernels/dispatch/elements.h"
#include "kernels/dispatch/index_check.h"
#include "kernels/dispatch/row_files.h"
#include "ops/indexed.h"

namespace arenite {
namespace {

// Moves between a source and y; the places of `whole` are named where there are some.
struct IndexedPass {
  Operand source;
  bool scatters = false;
  IndexedReduction reduction = IndexedReduction::kNone;
};

// The loops' operands: source, indices, y.
Status emit_pass(const Step& step, const IndexedPass& pass, const IndexedPlaces& places,
                 const Loops& loops, const DispatchSink& sink) {
  const Operand indices = input_operand(step, 1);
  const Operand y = output_operand(step, 0);
  const uint32_t index_words = words_each(indices);
  const Operand& whole = is_scatter(step.op()) ? y : pass.source;
  const Stores stores =
      pass.scatters ? Stores{element_type(y), loops.count()} : stores_of(y, loops, 2, skip_of(y));
  const bool tuples = places.tuple != 0 && !places.by_element;
  const auto size = [&](uint32_t i) {
    return i < places.tuple ? whole.dims[places.first + i] : 1u;
  };
  const auto stride = [&](uint32_t i) {
    return i < places.tuple ? whole.strides[places.first + i] * words_each(whole) : 0u;
  };
  DispatchBuilder builder(shaders::Indexed{
      .spec = {.store = stores.kind,
               .type = element_type(y),
               .wide = index_words == 2,
               .scatters = pass.scatters,
               .reduction = pass.reduction},
      .push = {.count = static_cast<uint32_t>(loops.count()),
               .rank = loops.rank,
               .source_skip = skip_of(pass.source),
               .indices_skip = skip_of(indices),
               .y_skip = skip_of(y),
               .tuple = places.tuple,
               .index_step = tuples ? indices.strides[places.outer] * index_words : 0u},
      .parameters = {.walk = loops, .sizes = size, .strides = stride}});
  builder.buffer(pass.source).buffer(indices).buffer(y);
  return builder.run_invocations(sink, stores.invocations);
}

Status emit_copy(const Step& step, const DispatchSink& sink) {
  const Operand data = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  const uint32_t words = words_each(y);
  Loops loops;
  for (uint32_t d = 0; d < y.rank; ++d) {
    loops.add(y.dims[d], data.strides[d] * words, 0, y.strides[d] * words);
  }
  loops.add(words, 1, 0, 1);
  collapse_dims(loops, 2);
  IndexedPlaces nowhere = {};
  return emit_pass(step, {.source = data}, nowhere, loops, sink);
}

// Sums and the like are of what shaders compute with; others wait for the CPU.
bool accepts_indexed(const Step& step) {
  const auto reduction = step.attributes<IndexedAttributes>().reduction;
  const Operand y = output_operand(step, 0);
  return reduction == 0 || is_float(y) || y.dtype == DType::kInt32;
}

Status check_indexed(const Step& step, const DispatchSink& sink) {
  const Operand whole = is_scatter(step.op()) ? output_operand(step, 0) : input_operand(step, 0);
  const IndexedPlaces places = indexed_places(step);
  IndexRange range = {.indices = input_operand(step, 1), .from_end = true};
  if (!places.by_element) range.tuple_dim = places.outer;
  for (uint32_t i = 0; i < places.tuple; ++i) range.sizes[i] = whole.dims[places.first + i];
  return emit_index_check(range, sink);
}

Status emit_indexed(const Step& step, const DispatchSink& sink) {
  const bool scatters = is_scatter(step.op());
  const Operand data = input_operand(step, 0);
  const Operand indices = input_operand(step, 1);
  const Operand y = output_operand(step, 0);
  const Operand& whole = scatters ? y : data;
  const Operand items = scatters ? input_operand(step, 2) : y;
  const IndexedPlaces places = indexed_places(step);
  const uint32_t words = words_each(y);
  const uint32_t index_words = words_each(indices);
  if (scatters) ARENITE_TRY(emit_copy(step, sink));
  Loops loops;
  for (uint32_t d = 0; d < items.rank; ++d) {
    const uint32_t at = places.whole_dim(d);
    const uint32_t in_whole = at == kNoIndex ? 0 : whole.strides[at] * words;
    const uint32_t in_items = items.strides[d] * words;
    loops.add(items.dims[d], scatters ? in_items : in_whole,
              d < places.outer ? indices.strides[d] * index_words : 0,
              scatters ? in_whole : in_items);
  }
  loops.add(words, 1, 0, 1);
  collapse_dims(loops, scatters ? 0 : 2);
  const auto reduction = step.attributes<IndexedAttributes>().reduction;
  const IndexedPass pass = {.source = scatters ? items : data,
                            .scatters = scatters,
                            .reduction = static_cast<IndexedReduction>(reduction)};
  return emit_pass(step, pass, places, loops, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 1,
     .shader = Shader::kIndexed,
     .types = types::kAny,
     .accepts = accepts_indexed,
     .emit = emit_indexed,
     .check = check_indexed},
    {.form = 0,
     .shader = Shader::kIndexed,
     .types = types::kAny,
     .accepts = accepts_indexed,
     .emit = emit_indexed},
};

}  // namespace

std::span<const DispatchRow> indexed_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Two passes of max_unpool.comp: zeros everywhere, then the elements where their indices say.
#include "kernels/shaders/max_unpool.h"

#include "kernels/dispatch/elements.h"
#include "kernels/dispatch/index_check.h"
#include "kernels/dispatch/row_files.h"

namespace arenite {
namespace {

Status emit_pass(const Step& step, bool fill, const DispatchSink& sink) {
  const Operand x = input_operand(step, 0);
  const Operand indices = input_operand(step, 1);
  const Operand y = output_operand(step, 0);
  const uint32_t words = words_each(y);
  Loops loops;  // operands x, indices
  for (uint32_t d = 0; d < x.rank; ++d) {
    loops.add(x.dims[d], x.strides[d] * words, indices.strides[d] * 2);
  }
  loops.add(words, 1, 0, 1);
  const uint64_t count = fill ? y.count() * words : loops.count();
  // These count y's dims from the innermost, as its places count.
  const auto y_dim = [&](uint32_t d) { return d < y.rank ? y.dims[y.rank - 1 - d] : 1u; };
  const auto y_stride = [&](uint32_t d) {
    return d < y.rank ? y.strides[y.rank - 1 - d] * words : 0u;
  };
  DispatchBuilder builder(
      shaders::MaxUnpool{.spec = {.type = element_type(y), .fill = fill, .wide = words == 2},
                         .push = {.count = static_cast<uint32_t>(count),
                                  .x_skip = skip_of(x),
                                  .indices_skip = skip_of(indices),
                                  .y_skip = skip_of(y),
                                  .places = static_cast<uint32_t>(y.count())},
                         .parameters = {.y_rank = y.rank,
                                        .y_dims = y_dim,
                                        .y_strides = y_stride,
                                        .rank = loops.rank,
                                        .dims = shaders::dims_of(loops),
                                        .x_strides = shaders::strides_of(loops, 0),
                                        .indices_strides = shaders::strides_of(loops, 1),
                                        .word_of = shaders::strides_of(loops, 2)}});
  builder.buffer(x).buffer(indices).buffer(y);
  return builder.run_invocations(sink, count);
}

bool accepts_max_unpool(const Step& step) {
  const Operand y = output_operand(step, 0);
  return y.count() * words_each(y) < kMaxInvocations;
}

// The indices count the elements of y.
Status check_max_unpool(const Step& step, const DispatchSink& sink) {
  const auto places = static_cast<uint32_t>(output_operand(step, 0).count());
  return emit_index_check({.indices = input_operand(step, 1), .sizes = {places}}, sink);
}

Status emit_max_unpool(const Step& step, const DispatchSink& sink) {
  ARENITE_TRY(emit_pass(step, true, sink));
  return emit_pass(step, false, sink);
}

constexpr DispatchRow kRows[] = {
    {.form = 1,
     .shader = Shader::kMaxUnpool,
     .types = types::kAny,
     .accepts = accepts_max_unpool,
     .emit = emit_max_unpool,
     .check = check_max_unpool},
    {.form = 0,
     .shader = Shader::kMaxUnpool,
     .types = types::kAny,
     .accepts = accepts_max_unpool,
     .emit = emit_max_unpool},
};

}  // namespace

std::span<const DispatchRow> max_unpool_rows(Op) { return kRows; }

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

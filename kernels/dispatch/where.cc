// Chooses between two operands by a third, through where.comp: elements of any type, of which those
// of eight bytes are two words.
#include "kernels/dispatch/elements.h"
#include "kernels/dispatch/rules.h"

namespace arenite {
namespace {

constexpr uint32_t kRankMax = 5;  // what four operands' strides leave of the push words

}  // namespace

bool supports_where(const Step&) { return true; }

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
    DispatchBuilder builder(Shader::kWhere);
    builder.buffer(condition).buffer(a).buffer(b).buffer(y);
    builder.spec(stores.kind).spec(element_type(y));
    builder.push(static_cast<uint32_t>(loops.count())).push(shader_rank(loops));
    builder.push(condition.skip + offsets[0]).push(skip_of(a) + offsets[1]);
    builder.push(skip_of(b) + offsets[2]).push(y_skip).push_loops(loops, kRankMax, 4);
    return builder.run_invocations(sink, stores.invocations);
  });
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

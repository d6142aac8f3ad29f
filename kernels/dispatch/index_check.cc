// One dispatch over all indices of an operand, through index_check.comp.
#include "kernels/dispatch/index_check.h"

#include "kernels/dispatch/elements.h"

namespace arenite {

Status emit_index_check(const IndexRange& range, const DispatchSink& sink) {
  const Operand& indices = range.indices;
  const uint32_t words = words_each(indices);
  Loops loops;  // operands: the indices, and which of a tuple
  for (uint32_t d = 0; d < indices.rank; ++d) {
    loops.add(indices.dims[d], indices.strides[d] * words, d == range.tuple_dim ? 1 : 0);
  }
  collapse_dims(loops, 0);
  DispatchBuilder builder(Shader::kIndexCheck);
  builder.buffer(indices).flag();
  builder.spec(words == 2);
  builder.push(static_cast<uint32_t>(loops.count())).push(loops.rank).push(skip_of(indices));
  builder.push(range.from_end ? 1u : 0u);
  builder.parameter_loops(loops, 2);
  for (const uint32_t size : range.sizes) builder.parameter(size);
  builder.fill_parameters();
  return builder.run_invocations(sink, loops.count());
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

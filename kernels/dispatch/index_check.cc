// One dispatch over all indices of an operand, through index_check.comp.
#include "kernels/dispatch/index_check.h"

#include "kernels/dispatch/elements.h"
#include "kernels/shaders/index_check.h"

namespace arenite {

Status emit_index_check(const IndexRange& range, const DispatchSink& sink) {
  const Operand& indices = range.indices;
  const uint32_t words = words_each(indices);
  Loops loops;  // operands: the indices, and which of a tuple
  for (uint32_t d = 0; d < indices.rank; ++d) {
    loops.add(indices.dims[d], indices.strides[d] * words, d == range.tuple_dim ? 1 : 0);
  }
  collapse_dims(loops, 0);
  DispatchBuilder builder(
      shaders::IndexCheck{.spec = {.wide = words == 2},
                          .push = {.count = static_cast<uint32_t>(loops.count()),
                                   .rank = loops.rank,
                                   .indices_skip = skip_of(indices),
                                   .from_end = range.from_end ? 1u : 0u},
                          .parameters = {.walk = loops, .sizes = range.sizes}});
  builder.buffer(indices).flag();
  return builder.run_invocations(sink, loops.count());
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

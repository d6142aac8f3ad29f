// Splits a tensor into rows and says who computes one: an invocation, or a group for long rows.
#include "kernels/dispatch/rows.h"

#include "kernels/dispatch/elements.h"

namespace arenite {
namespace {

// Elements of a row that are worth the barriers of a group. On an H100 groups do the softmax of
// 4096 dense rows of 32 elements in 9 us and invocations in 20 us, of 128 elements in 9 and 63 us.
constexpr uint64_t kLongRow = 32;
// Enough invocations to fill a device. Fewer rows are worth a group each even where neighboring
// invocations would read neighbors: the means of 1280 such rows of 49 elements take 5.4 us by
// groups and 21.7 us by invocations, of 1000 rows of 169 elements 6.3 and 65 us.
constexpr uint64_t kManyRows = 4096;

// With rows side by side in memory, neighboring invocations read neighboring elements.
bool rows_interleave(const Loops& kept, const Loops& reduced) {
  return kept.rank > 0 && reduced.rank > 0 && kept.strides[0][0] < reduced.strides[0][0];
}

// Dims that `axes` keeps and those that it reduces, of x (operand 0) and y (operand 1).
void split_axes(const Operand& x, const Operand& y, uint32_t axes, Loops& kept, Loops& reduced) {
  for (uint32_t d = 0; d < x.rank; ++d) {
    Loops& loops = (axes >> d & 1u) != 0 ? reduced : kept;
    loops.add(x.dims[d], x.strides[d], y.strides[d]);
  }
  collapse_dims(kept, 0);
  collapse_dims(reduced, 0);
}

}  // namespace

uint32_t choose_rows(const Step& step, uint32_t axes) {
  Loops kept, reduced;
  split_axes(input_operand(step, 0), output_operand(step, 0), axes, kept, reduced);
  const bool group =
      reduced.count() >= kLongRow && (kept.count() < kManyRows || !rows_interleave(kept, reduced));
  return group ? 1 : 0;
}

Rows rows_along(const Step& step, uint32_t axes, bool in_order) {
  const Operand x = input_operand(step, 0);
  const Operand y = output_operand(step, 0);
  Loops kept, reduced;
  split_axes(x, y, axes, kept, reduced);
  if (in_order) {
    reduced = {};
    for (uint32_t d = 0; d < x.rank; ++d) {
      if ((axes >> d & 1u) != 0) reduced.add(x.dims[d], x.strides[d]);
    }
  }

  // The shader wants at least one dim in all; a row of one element needs none of its own.
  Loops all = kept;
  for (uint32_t d = 0; d < reduced.rank; ++d, ++all.rank) {
    all.dims[all.rank] = reduced.dims[d];
    all.strides[0][all.rank] = reduced.strides[0][d];
    all.strides[1][all.rank] = reduced.strides[1][d];
  }
  for (uint32_t d = 0; d < all.rank; ++d) all.strides[1][d] *= words_each(y);
  const uint32_t row_rank = all.rank == 0 ? 1 : reduced.rank;
  return {.x = x,
          .y = y,
          .group = step.record().choice == 1,
          .push = {.rows = static_cast<uint32_t>(kept.count()),
                   .kept_rank = kept.rank,
                   .elements = static_cast<uint32_t>(reduced.count()),
                   .row_rank = row_rank,
                   .x_skip = x.skip,
                   .y_skip = skip_of(y),
                   .dims = shaders::dims_of(all),
                   .x_strides = shaders::strides_of(all, 0),
                   .y_strides = shaders::strides_of(all, 1)},
          .count = kept.count()};
}

Status run_rows(const Rows& rows, DispatchBuilder& builder, const DispatchSink& sink) {
  return rows.group ? builder.run_groups(sink, rows.count)
                    : builder.run_invocations(sink, rows.count);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

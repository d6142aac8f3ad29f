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
// Elements of a row that are worth a second dispatch where rows lie side by side: a group for each
// reads all of x then, of which it uses little. The means of 32 such rows of 12,544 elements take
// 46 us on an H200, 10 in two passes.
constexpr uint64_t kVeryLongRow = 2048;

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

bool are_for_groups(const Loops& kept, const Loops& reduced) {
  return reduced.count() >= kLongRow &&
         (kept.count() < kManyRows || !rows_interleave(kept, reduced));
}

// Whether the elements of each four rows are bytes of a word.
bool are_words(const Operand& x, const Loops& kept, const Loops& reduced) {
  if (element_bytes(x.dtype) != 1 || x.skip % 4 != 0 || kept.rank == 0 || kept.strides[0][0] != 1 ||
      kept.dims[0] % 4 != 0) {
    return false;
  }
  for (uint32_t d = 1; d < kept.rank; ++d) {
    if (kept.strides[0][d] % 4 != 0) return false;
  }
  for (uint32_t d = 0; d < reduced.rank; ++d) {
    if (reduced.strides[0][d] % 4 != 0) return false;
  }
  return true;
}

Rows rows_of(const Operand& x, const Operand& y, const Loops& kept, const Loops& reduced,
             bool group) {
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
          .group = group,
          .words = are_words(x, kept, reduced),
          .push = {.rows = static_cast<uint32_t>(kept.count()),
                   .kept_rank = kept.rank,
                   .elements = static_cast<uint32_t>(reduced.count()),
                   .row_rank = row_rank,
                   .x_skip = x.skip,
                   .y_skip = skip_of(y),
                   .dims = shaders::dims_of(all),
                   .x_strides = shaders::strides_of(all, 0),
                   .y_strides = shaders::strides_of(all, 1)},
          .count = kept.count(),
          .elements = reduced.count()};
}

// A dim of x that the first of two passes keeps.
struct Passed {
  uint32_t dim, x_stride, y_stride;
  bool kept;  // by both
};

// The dims of x but the one that the first pass reduces: the reduced one of the longest stride, if
// there is one of several elements.
struct PassedDims {
  uint32_t first = 0;  // the axis that the first pass reduces
  uint32_t count = 0;
  Passed dims[kMaxRank];  // in the order of x's strides

  uint64_t elements() const {
    uint64_t elements = 1;
    for (uint32_t i = 0; i < count; ++i) elements *= dims[i].dim;
    return elements;
  }
};

PassedDims passed_dims(const Operand& x, const Operand& y, uint32_t axes) {
  PassedDims passed;
  while ((axes >> passed.first & 1u) == 0) ++passed.first;
  uint32_t longest = 0;
  for (uint32_t d = 0; d < x.rank; ++d) {
    if ((axes >> d & 1u) == 0 || x.dims[d] == 1 || x.strides[d] < longest) continue;
    longest = x.strides[d];
    passed.first = d;
  }
  for (uint32_t d = 0; d < x.rank; ++d) {
    if (d == passed.first) continue;
    const bool kept = (axes >> d & 1u) == 0;
    uint32_t at = passed.count++;
    for (; at > 0 && passed.dims[at - 1].x_stride > x.strides[d]; --at) {
      passed.dims[at] = passed.dims[at - 1];
    }
    passed.dims[at] = {x.dims[d], x.strides[d], kept ? y.strides[d] : 0, kept};
  }
  return passed;
}

}  // namespace

uint32_t choose_rows(const Step& step, uint32_t axes) {
  Loops kept, reduced;
  split_axes(input_operand(step, 0), output_operand(step, 0), axes, kept, reduced);
  return are_for_groups(kept, reduced) ? 1 : 0;
}

bool pays_in_two_passes(const Step& step, uint32_t axes) {
  const Operand x = input_operand(step, 0);
  Loops kept, reduced;
  split_axes(x, output_operand(step, 0), axes, kept, reduced);
  uint32_t wide = 0;
  for (uint32_t d = 0; d < x.rank; ++d) wide += (axes >> d & 1u) != 0 && x.dims[d] != 1 ? 1 : 0;
  return wide > 1 && reduced.count() >= kVeryLongRow && kept.count() < kManyRows &&
         rows_interleave(kept, reduced);
}

uint64_t bytes_between_passes(const Step& step, uint32_t axes) {
  return passed_dims(input_operand(step, 0), output_operand(step, 0), axes).elements() *
         sizeof(float);
}

RowsInTwo rows_in_two_passes(const Step& step, uint32_t axes, DType type) {
  const Operand x = input_operand(step, 0), y = output_operand(step, 0);
  Operand between = scratch_operand(step);
  between.dtype = type;
  const PassedDims passed = passed_dims(x, y, axes);
  Loops first_kept, first_reduced, kept, reduced;
  first_reduced.add(x.dims[passed.first], x.strides[passed.first]);
  uint32_t dense = 1;
  for (uint32_t i = 0; i < passed.count; ++i) {
    const Passed& dim = passed.dims[i];
    first_kept.add(dim.dim, dim.x_stride, dense);
    if (dim.kept) {
      kept.add(dim.dim, dense, dim.y_stride);
    } else {
      reduced.add(dim.dim, dense);
    }
    dense *= dim.dim;
  }
  collapse_dims(first_kept, 0);
  collapse_dims(kept, 0);
  collapse_dims(reduced, 0);
  return {rows_of(x, between, first_kept, first_reduced, are_for_groups(first_kept, first_reduced)),
          rows_of(between, y, kept, reduced, are_for_groups(kept, reduced))};
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
  return rows_of(x, y, kept, reduced, step.record().choice == 1);
}

Status run_rows(const Rows& rows, DispatchBuilder& builder, const DispatchSink& sink) {
  return rows.group ? builder.run_groups(sink, rows.count)
                    : builder.run_invocations(sink, rows.count);
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Arithmetic on dims and element strides: memory orders, spans, and which reshapes need no copy.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/graph/operands.h"

namespace arenite::planner {

// The dims of a value from outermost to innermost in memory: a permutation of 0 .. rank-1.
using Order = std::vector<uint32_t>;

Order row_major_order(uint32_t rank);
// Batch, then the spatial dims, then channels (dim 1); row-major below rank 3.
Order channels_last_order(uint32_t rank);

// Dense strides of `dims` laid in `order`.
Strided dense_in_order(const std::vector<uint32_t>& dims, const Order& order);

// An order in which the strides fall; dims of size 1, whose strides say nothing, stay just inside
// the dim before them.
Order order_of(const Strided& form);

uint64_t element_count(const std::vector<uint32_t>& dims);

// Elements from the form's first to just behind its last; 0 when it has none.
uint64_t span_elements(const Strided& form);

// True when both reach the same element for each index; strides of dims of size 1 do not matter.
bool same_elements(const Strided& a, const Strided& b);

// The form with `dims` that lists the same storage elements in the same row-major order, or nothing
// when no strides do that. Element counts must be equal.
std::optional<Strided> reshape_in_place(const Strided& form, const std::vector<uint32_t>& dims);

// A view of a storage whose elements are moved elsewhere: `from` lists all of them, and element i
// of `from` goes to where `to`, of the same dims, has its element i. Gives the form that reaches
// the same elements there, or nothing when no strides do that or `from` is not dense.
std::optional<Strided> moved_along(const Strided& view, const Strided& from, const Strided& to);

// Dim d of the result is dim order[d] of the form.
Strided transposed(const Strided& form, const std::vector<uint32_t>& permutation);

// Steps through all indices of from's dims in row-major order, and calls visit(source, target) with
// the offsets of each element in two storages. `to` has as many dims, none smaller.
template <typename Visit>
void for_each_element(const Strided& from, const Strided& to, Visit visit) {
  if (element_count(from.dims) == 0) return;
  const size_t rank = from.dims.size();
  std::vector<uint32_t> index(rank);
  uint64_t source = from.offset, target = to.offset;
  while (true) {
    visit(source, target);
    size_t d = rank;
    for (; d > 0; --d) {
      source += from.strides[d - 1];
      target += to.strides[d - 1];
      if (++index[d - 1] < from.dims[d - 1]) break;
      source -= uint64_t{index[d - 1]} * from.strides[d - 1];
      target -= uint64_t{index[d - 1]} * to.strides[d - 1];
      index[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

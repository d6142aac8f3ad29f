// Family move: what a step moves, as boxes of elements, which all that computes it copies in order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/step.h"

namespace arenite {

// Copies y[y_first + i * y_strides] = x[x_first + i * x_strides] for each index i within dims, x
// being input `input`. Strides in elements; those of x may be 0 or negative. With `value` in place
// of an input: the bits of one element, low word first, for all.
struct MoveBox {
  static constexpr uint32_t kValue = kNoIndex;

  uint32_t input = 0;  // or kValue
  uint32_t value[2] = {};
  size_t x_first = 0, y_first = 0;
  size_t carried = 0;  // from box to box, for who describes them
  uint32_t rank = 0;
  uint32_t dims[kMaxRank];
  ptrdiff_t x_strides[kMaxRank], y_strides[kMaxRank];

  void add(uint32_t dim, ptrdiff_t x_stride, ptrdiff_t y_stride) {
    dims[rank] = dim;
    x_strides[rank] = x_stride;
    y_strides[rank] = y_stride;
    ++rank;
  }
  bool is_empty() const {
    for (uint32_t d = 0; d < rank; ++d) {
      if (dims[d] == 0) return true;
    }
    return false;
  }
};

// Describes box `index` of a step that keeps its contract; false when it has no more. `box` is new
// but for `carried`; it may become empty. Later boxes may lie over earlier ones.
using MoveBoxes = bool (*)(const Step& step, uint32_t index, MoveBox& box);

// Calls visit(box) for each box that is not empty.
template <typename F>
void for_each_box(MoveBoxes boxes, const Step& step, F visit) {
  size_t carried = 0;
  for (uint32_t index = 0;; ++index) {
    MoveBox box;
    box.carried = carried;
    if (!boxes(step, index, box)) return;
    carried = box.carried;
    if (!box.is_empty()) visit(box);
  }
}

// The number of boxes that a step of pad has, or `enough` if it has at least that many.
uint64_t pad_box_count(const Step& step, uint64_t enough);

// The boxes of each operator of the family: <name>_boxes.
#define ARENITE_OP_move(number, name, Type, set) \
  bool name##_boxes(const Step& step, uint32_t index, MoveBox& box);
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Loops over the elements of y in which some axes keep their places, since x has other dims there.
#pragma once

#include "kernels/dispatch/elements.h"

namespace arenite {

// Operands x, y; and what tells such axes from others and each other (axis k is k + 1, others 0),
// so that none is joined with a neighbor: no dim makes both numbers of one axis those of another.
// kNoIndex in place of an axis: none. Elements of eight bytes are two words.
template <uint32_t kAxes>
Loops spatial_loops(const Operand& x, const Operand& y, const uint32_t (&axes)[kAxes]) {
  const uint32_t words = words_each(y);
  Loops loops;
  for (uint32_t d = 0; d < y.rank; ++d) {
    uint32_t code = 0;
    for (uint32_t k = 0; k < kAxes; ++k) {
      if (axes[k] == d) code = k + 1;
    }
    loops.add(y.dims[d], x.strides[d] * words, y.strides[d] * words, code,
              code == 0 ? 0 : kAxes + 1 - code);
  }
  loops.add(words, 1, 1);
  collapse_dims(loops, 1);
  return loops;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

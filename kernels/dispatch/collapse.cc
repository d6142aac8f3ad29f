// Sorts and joins the dims of nested loops, so that most steps become one flat loop.
#include "kernels/dispatch/collapse.h"

namespace arenite {
namespace {

void move_dim(const Loops& from, uint32_t source, Loops& to, uint32_t target) {
  to.dims[target] = from.dims[source];
  for (uint32_t k = 0; k < Loops::kOperands; ++k) to.strides[k][target] = from.strides[k][source];
}

void swap_dims(Loops& loops, uint32_t a, uint32_t b) {
  const Loops copy = loops;
  move_dim(copy, a, loops, b);
  move_dim(copy, b, loops, a);
}

// Whether stepping dim `outer` once equals walking all of dim `inner`, for every operand.
bool joins(const Loops& loops, uint32_t inner, uint32_t outer) {
  for (uint32_t k = 0; k < Loops::kOperands; ++k) {
    if (loops.strides[k][outer] != loops.strides[k][inner] * loops.dims[inner]) return false;
  }
  return true;
}

}  // namespace

void Loops::add(uint32_t dim, uint32_t stride0, uint32_t stride1, uint32_t stride2,
                uint32_t stride3) {
  if (dim == 1) return;
  for (uint32_t d = rank; d > 0; --d) move_dim(*this, d - 1, *this, d);
  dims[0] = dim;
  strides[0][0] = stride0;
  strides[1][0] = stride1;
  strides[2][0] = stride2;
  strides[3][0] = stride3;
  ++rank;
}

uint64_t Loops::count() const {
  constexpr uint64_t kTooMany = uint64_t{1} << 32;
  uint64_t count = 1;
  for (uint32_t d = 0; d < rank; ++d) {
    count *= dims[d];
    count = count < kTooMany ? count : kTooMany;
  }
  return count;
}

void collapse_dims(Loops& loops, uint32_t key) {
  for (uint32_t i = 1; i < loops.rank; ++i) {
    for (uint32_t j = i; j > 0 && loops.strides[key][j] < loops.strides[key][j - 1]; --j) {
      swap_dims(loops, j, j - 1);
    }
  }
  uint32_t kept = 0;
  for (uint32_t d = 0; d < loops.rank; ++d) {
    if (kept > 0 && joins(loops, kept - 1, d)) {
      loops.dims[kept - 1] *= loops.dims[d];
    } else {
      move_dim(loops, d, loops, kept);
      ++kept;
    }
  }
  loops.rank = kept;
}

void split_outer(Loops& loops, uint32_t rank_max, Loops& outer) {
  while (loops.rank > rank_max) {
    uint32_t least = 0;
    for (uint32_t d = 1; d < loops.rank; ++d) {
      if (loops.dims[d] < loops.dims[least]) least = d;
    }
    move_dim(loops, least, outer, outer.rank);
    ++outer.rank;
    for (uint32_t d = least; d + 1 < loops.rank; ++d) move_dim(loops, d + 1, loops, d);
    --loops.rank;
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Simplification of nested loops, and the cursor over their rows.
#include "portable_fallback/shared/loop.h"

namespace arenite {

void NestedLoop::add(uint32_t dim, ptrdiff_t stride0, ptrdiff_t stride1, ptrdiff_t stride2,
                     ptrdiff_t stride3) {
  if (dim == 1) return;
  dims[rank] = dim;
  strides[0][rank] = stride0;
  strides[1][rank] = stride1;
  strides[2][rank] = stride2;
  strides[3][rank] = stride3;
  ++rank;
}

void NestedLoop::sort() {
  for (uint32_t i = 1; i < rank; ++i) {
    for (uint32_t d = i; d > 0 && strides[0][d - 1] < strides[0][d]; --d) {
      const uint32_t dim = dims[d];
      dims[d] = dims[d - 1];
      dims[d - 1] = dim;
      for (auto& s : strides) {
        const ptrdiff_t stride = s[d];
        s[d] = s[d - 1];
        s[d - 1] = stride;
      }
    }
  }
}

void NestedLoop::merge() {
  uint32_t kept = 0;
  for (uint32_t d = 0; d < rank; ++d) {
    const uint32_t dim = dims[d];
    bool joins = kept > 0;
    for (const auto& s : strides) {
      joins = joins && int64_t{s[kept - 1]} == int64_t{s[d]} * int64_t{dim};
    }
    if (!joins) {
      dims[kept] = 1;
      ++kept;
    }
    dims[kept - 1] *= dim;
    for (auto& s : strides) s[kept - 1] = s[d];
  }
  rank = kept;
  if (rank == 0) {
    dims[0] = 1;
    for (auto& s : strides) s[0] = 1;
    rank = 1;
  }
}

void NestedLoop::lengthen_rows() {
  constexpr uint32_t kShort = 4, kTimes = 4;
  const uint32_t inner = rank - 1;
  if (rank < 2 || dims[inner] > kShort) return;
  uint32_t longest = 0;
  for (uint32_t d = 1; d < inner; ++d) longest = dims[d] > dims[longest] ? d : longest;
  if (dims[longest] < kTimes * dims[inner] || strides[1][longest] >= strides[1][inner]) return;
  const uint32_t dim = dims[longest];
  dims[longest] = dims[inner];
  dims[inner] = dim;
  for (auto& s : strides) {
    const ptrdiff_t stride = s[longest];
    s[longest] = s[inner];
    s[inner] = stride;
  }
}

uint32_t NestedLoop::size() const {
  uint32_t size = 1;
  for (uint32_t d = 0; d < rank; ++d) size *= dims[d];
  return size;
}

uint32_t RowCursor::rows(const NestedLoop& loop, uint32_t piece) {
  uint32_t rows = loop.inner_dim() / piece + (loop.inner_dim() % piece != 0);
  for (uint32_t d = 0; d + 1 < loop.rank; ++d) rows *= loop.dims[d];
  return rows;
}

RowCursor::RowCursor(const NestedLoop& loop, uint32_t piece, uint32_t row)
    : loop_(&loop), piece_(piece) {
  const uint32_t inner = loop.rank - 1;
  const uint32_t pieces = loop.inner_dim() / piece + (loop.inner_dim() % piece != 0);
  begin_ = row % pieces * piece;
  row /= pieces;
  move(inner, static_cast<ptrdiff_t>(begin_));
  take(loop.inner_dim() - begin_);
  for (uint32_t d = inner; d-- > 0;) {
    index_[d] = row % loop.dims[d];
    row /= loop.dims[d];
    move(d, static_cast<ptrdiff_t>(index_[d]));
  }
}

RowCursor::RowCursor(const NestedLoop& loop)
    : loop_(&loop), piece_(loop.inner_dim()), begin_(0), count_(loop.inner_dim()) {
  for (uint32_t d = 0; d + 1 < loop.rank; ++d) index_[d] = 0;
}

void RowCursor::move(uint32_t dim, ptrdiff_t times) {
  for (uint32_t k = 0; k < NestedLoop::kOperands; ++k) {
    offsets_[k] += times * loop_->strides[k][dim];
  }
}

void RowCursor::next() {
  const uint32_t inner = loop_->rank - 1;
  const uint32_t left = loop_->dims[inner] - begin_ - count_;
  if (left != 0) {
    move(inner, static_cast<ptrdiff_t>(count_));
    begin_ += count_;
    return take(left);
  }
  if (begin_ != 0) {
    move(inner, -static_cast<ptrdiff_t>(begin_));
    begin_ = 0;
    take(loop_->dims[inner]);
  }
  for (uint32_t d = inner; d-- > 0;) {
    if (++index_[d] != loop_->dims[d]) return move(d, 1);
    index_[d] = 0;
    move(d, -static_cast<ptrdiff_t>(loop_->dims[d] - 1));
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

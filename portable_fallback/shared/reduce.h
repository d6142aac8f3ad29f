// The walk of reductions along axes: up to sixteen results side by side, each from its elements in
// their logical order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/access.h"
#include "core/platform.h"
#include "core/step.h"
#include "portable_fallback/shared/block.h"
#include "portable_fallback/shared/loop.h"

namespace arenite {

struct Reduction {
  // Reduces input 0 to output 0 along the axes whose bits are set.
  Reduction(const Step& step, uint32_t axes);

  Src<std::byte> x;
  Dst<std::byte> y;
  NestedLoop kept;     // operands y, x
  NestedLoop reduced;  // operand 1 is x; in logical order
  uint32_t results;
  bool empty;  // nothing to add up
};

// Each block of results reads all of its input, then writes.
uint64_t reduction_distance(const Step& step, uint32_t axes, uint32_t block = kBlock);

// Runs task over the blocks of results, where there are some.
void run_reduction(const Reduction& reduction, const Platform& platform, PieceFunction task,
                   void* argument);

// Blocks [first, last): each result from start() by result = add(result, element) over its elements
// of type T, stored as finish(result, count of them).
template <typename T, typename Y, typename Start, typename Add, typename Finish>
void reduce_blocks(const Reduction& task, uint32_t first, uint32_t last, Start start, Add add,
                   Finish finish) {
  const NestedLoop& reduced = task.reduced;
  const uint32_t rows = task.empty ? 0 : RowCursor::rows(reduced, reduced.inner_dim());
  const uint32_t size = task.empty ? 0 : reduced.size();
  const ptrdiff_t x_step = task.kept.inner_stride(1);
  const ptrdiff_t y_step = task.kept.inner_stride(0);
  const ptrdiff_t along = reduced.inner_stride(1);
  RowCursor at(task.kept, kBlock, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    const uint32_t count = at.count();
    const bool full = count == kBlock && x_step == 1;
    decltype(start()) results[kBlock];
    for (auto& result : results) result = start();
    RowCursor cursor(reduced, reduced.inner_dim(), 0);
    for (uint32_t i = 0; i < rows; ++i, cursor.next()) {
      Src<T> x = as<T>(task.x) + at.offset(1) + cursor.offset(1);
      for (uint32_t left = cursor.count(); left != 0; --left, x += along) {
        if (full) {
#pragma GCC unroll 16
          for (uint32_t j = 0; j < kBlock; ++j) results[j] = add(results[j], T(x[j]));
        } else {
          for (uint32_t j = 0; j < count; ++j) {
            const T element = x[static_cast<ptrdiff_t>(j) * x_step];
            results[j] = add(results[j], element);
          }
        }
      }
    }
    Dst<Y> y = as<Y>(task.y) + at.offset(0);
    for (uint32_t j = 0; j < count; ++j, y += y_step) *y = finish(results[j], size);
  }
}

}  // namespace arenite

// SPDX-License-Identifier: Apache-2.0

// The walk of forms of softmax of 8-bit integers over the rows along one axis, in blocks of as many
// as a kernel takes at once.
#pragma once

#include "core/step.h"
#include "ops/attributes.h"
#include "portable_fallback/fast/integer_softmax.h"
#include "portable_fallback/shared/axis_rows.h"
#include "portable_fallback/shared/split.h"

namespace arenite {

// Numbers: what a kernel is given beside rows.
template <typename Numbers>
struct SoftmaxBlocks {
  explicit SoftmaxBlocks(const Step& step)
      : rows(step, step.attributes<QuantizedSoftmaxAttributes>().axes),
        x(step.input(0).read<uint8_t>()),
        y(step.output(0).write<uint8_t>()) {}

  bool is_empty() const { return rows.count() == 0 || rows.empty; }

  AxisRows rows;
  // These are for who runs it.
  uint32_t at_once;
  Numbers numbers;
  void (*compute)(const Numbers& numbers, const SoftmaxRows& rows);
  Src<uint8_t> x;
  Dst<uint8_t> y;
};

template <typename Numbers>
void block_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& blocks = *static_cast<const SoftmaxBlocks<Numbers>*>(argument);
  const NestedLoop& kept = blocks.rows.kept;
  const NestedLoop& axes = blocks.rows.axes;
  SoftmaxRows rows = {};
  rows.x_row = kept.inner_stride(1);
  rows.y_row = kept.inner_stride(0);
  rows.x_step = axes.inner_stride(1);
  rows.y_step = axes.inner_stride(0);
  rows.count = axes.inner_dim();
  RowCursor block(kept, blocks.at_once, first);
  for (uint32_t item = first; item < last; ++item, block.next()) {
    rows.x = blocks.x + block.offset(1);
    rows.y = blocks.y + block.offset(0);
    rows.rows = block.count();
    blocks.compute(blocks.numbers, rows);
  }
}

// Whether x is of 8 bits, and rows along one axis are rounded so.
inline bool takes_softmax_rows(const Step& step, Rounding rounding) {
  QuantizedSoftmaxAttributes room;
  const QuantizedSoftmaxAttributes& by = step.attributes(room);
  const bool one_axis = by.axes != 0 && (by.axes & (by.axes - 1)) == 0;
  return one_axis && by.output.rounding == rounding &&
         element_bytes(step.dtype(step.input_count())) == 1;
}

template <typename Numbers>
Status run_softmax_blocks(const Step& step, const Platform& platform,
                          SoftmaxBlocks<Numbers>& blocks) {
  split(platform, RowCursor::rows(blocks.rows.kept, blocks.at_once),
        element_count(step.output(0)) * 64, block_items<Numbers>, &blocks);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

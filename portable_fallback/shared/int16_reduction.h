// The forms of quantized_sum of 16-bit integers whose kernels add up to 16 neighbors of many places
// at once.
#pragma once

#include "ops/attributes.h"
#include "portable_fallback/fast/int16_pool.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/reduce.h"

namespace arenite {

struct Int16Reduction : Reduction {
  explicit Int16Reduction(const Step& step);

  QuantizedSumAttributes by;
};

bool takes_int16_reduction(const Step& step);
uint64_t int16_reduction_distance(const Step& step, uint32_t input);

// Elements that lie `step` apart, so many times.
struct Int16ReducedRow {
  Src<int16_t> x;
  ptrdiff_t step;
  uint32_t count;
};

// One element after the other.
uint32_t sum_of_int16(const Int16ReducedRow& row);

// Writes results of so many sums of `size` elements.
void put_int16_reduced(const Int16Reduction& task, Dst<int16_t> y, uint32_t size, uint32_t count,
                       const uint32_t* sums);

// Of `channels` neighbors of each element: sums[c] grows by those of channel c.
template <Int16TapSums* kSumTaps>
void add_int16_row(const Int16ReducedRow& row, uint32_t channels, uint32_t* sums) {
  uint32_t part[kBlock];
  kSumTaps({row.x, {1, 1, row.count}, {0, 0, static_cast<size_t>(row.step)}}, channels, part);
  for (uint32_t c = 0; c < channels; ++c) sums[c] += part[c];
}

// The sum of a row. Of neighbors eight are channels of a place; few are not worth the calls.
template <Int16TapSums* kSumTaps>
uint32_t sum_of_int16_row(const Int16ReducedRow& row) {
  constexpr uint32_t kAtOnce = 8;
  if (row.step != 1 || row.count < 2 * kAtOnce) return sum_of_int16(row);
  uint32_t sums[kAtOnce] = {};
  add_int16_row<kSumTaps>({row.x, kAtOnce, row.count / kAtOnce}, kAtOnce, sums);
  const uint32_t rest = row.count % kAtOnce;
  uint32_t sum = sum_of_int16({row.x + static_cast<ptrdiff_t>(row.count - rest), 1, rest});
  for (const uint32_t part : sums) sum += part;
  return sum;
}

template <Int16TapSums* kSumTaps>
void int16_reduction_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Int16Reduction*>(argument);
  const NestedLoop& reduced = task.reduced;
  const uint32_t rows = task.empty ? 0 : RowCursor::rows(reduced, reduced.inner_dim());
  const ptrdiff_t x_step = task.kept.inner_stride(1);
  const ptrdiff_t along = reduced.inner_stride(1);
  const Src<int16_t> from = as<int16_t>(task.x);
  RowCursor at(task.kept, kBlock, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    const uint32_t count = at.count();
    const bool side_by_side = x_step == 1 && (along != 1 || count >= 2);
    uint32_t sums[kBlock] = {};
    RowCursor cursor(reduced, reduced.inner_dim(), 0);
    for (uint32_t i = 0; i < rows; ++i, cursor.next()) {
      const Int16ReducedRow row = {from + (at.offset(1) + cursor.offset(1)), along, cursor.count()};
      if (side_by_side) {
        add_int16_row<kSumTaps>(row, count, sums);
        continue;
      }
      for (uint32_t j = 0; j < count; ++j) {
        const ptrdiff_t to_result = static_cast<ptrdiff_t>(j) * x_step;
        sums[j] += sum_of_int16_row<kSumTaps>({row.x + to_result, along, row.count});
      }
    }
    put_int16_reduced(task, as<int16_t>(task.y) + at.offset(0), task.empty ? 0 : reduced.size(),
                      count, sums);
  }
}

template <Int16TapSums* kSumTaps>
Status run_int16_reduction(const Step& step, const Platform& platform) {
  Int16Reduction task(step);
  run_reduction(task, platform, int16_reduction_items<kSumTaps>, &task);
  return ok_status();
}

template <Int16TapSums* kSumTaps>
constexpr Form int16_reduction_form(uint8_t number) {
  return make_form(Op::kQuantizedSum, number,
                   {.parallel = true,
                    .safe_distance = int16_reduction_distance,
                    .accepts = takes_int16_reduction,
                    .run = run_int16_reduction<kSumTaps>});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

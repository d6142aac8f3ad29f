// The forms of quantized_sum whose kernels add up to 16 neighboring bytes of many places at once.
#pragma once

#include "ops/attributes.h"
#include "portable_fallback/fast/integer_pool.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/reduce.h"

namespace arenite {

struct IntegerReduction : Reduction {
  explicit IntegerReduction(const Step& step);

  QuantizedSumAttributes by;
  bool is_unsigned;
};

uint64_t integer_reduction_distance(const Step& step, uint32_t input);

using SumTaps = void(const PoolTaps& taps, uint32_t channels, int32_t* sums);

// Bytes that lie `step` apart, `count` times, and `channels` neighbors of each: sums[c] grows by
// those of channel c.
struct ReducedRow {
  Src<std::byte> x;
  ptrdiff_t step;
  uint32_t count;
};
template <SumTaps* kSumTaps>
void add_row(const IntegerReduction& task, ReducedRow row, uint32_t channels, uint32_t* sums) {
  int32_t part[kPoolChannels];
  while (row.count != 0) {
    const uint32_t taps = row.count < kPoolTapsMax ? row.count : kPoolTapsMax;
    kSumTaps({row.x, {1, 1, taps}, {0, 0, static_cast<size_t>(row.step)}, task.is_unsigned},
             channels, part);
    for (uint32_t c = 0; c < channels; ++c) sums[c] += static_cast<uint32_t>(part[c]);
    row.x += static_cast<ptrdiff_t>(taps) * row.step;
    row.count -= taps;
  }
}

// One element after the other.
uint32_t sum_of_elements(const IntegerReduction& task, const ReducedRow& row);

// The sum of a row. Of neighbors kAtOnce are channels of a place; few are not worth the calls.
template <SumTaps* kSumTaps, uint32_t kAtOnce>
uint32_t sum_of_row(const IntegerReduction& task, const ReducedRow& row) {
  if (row.step != 1 || row.count < 2 * kAtOnce) return sum_of_elements(task, row);
  uint32_t sums[kAtOnce] = {};
  add_row<kSumTaps>(task, {row.x, kAtOnce, row.count / kAtOnce}, kAtOnce, sums);
  const uint32_t rest = row.count % kAtOnce;
  uint32_t sum = sum_of_elements(task, {row.x + static_cast<ptrdiff_t>(row.count - rest), 1, rest});
  for (const uint32_t part : sums) sum += part;
  return sum;
}

// Writes results of so many sums of `size` elements.
void put_reduced(const IntegerReduction& task, Dst<std::byte> y, uint32_t size, uint32_t count,
                 const uint32_t* sums);

template <SumTaps* kSumTaps, uint32_t kAtOnce>
void integer_reduction_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const IntegerReduction*>(argument);
  const NestedLoop& reduced = task.reduced;
  const uint32_t rows = task.empty ? 0 : RowCursor::rows(reduced, reduced.inner_dim());
  const ptrdiff_t x_step = task.kept.inner_stride(1);
  const ptrdiff_t along = reduced.inner_stride(1);
  RowCursor at(task.kept, kBlock, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    const uint32_t count = at.count();
    // A word has four channels.
    const bool side_by_side = x_step == 1 && (along != 1 || count >= 4);
    uint32_t sums[kBlock] = {};
    RowCursor cursor(reduced, reduced.inner_dim(), 0);
    for (uint32_t i = 0; i < rows; ++i, cursor.next()) {
      const Src<std::byte> x = task.x + (at.offset(1) + cursor.offset(1));
      if (side_by_side) {
        add_row<kSumTaps>(task, {x, along, cursor.count()}, count, sums);
        continue;
      }
      for (uint32_t j = 0; j < count; ++j) {
        const ptrdiff_t to_result = static_cast<ptrdiff_t>(j) * x_step;
        sums[j] += sum_of_row<kSumTaps, kAtOnce>(task, {x + to_result, along, cursor.count()});
      }
    }
    put_reduced(task, task.y + at.offset(0), task.empty ? 0 : reduced.size(), count, sums);
  }
}

template <SumTaps* kSumTaps, uint32_t kAtOnce>
Status run_integer_reduction(const Step& step, const Platform& platform) {
  IntegerReduction task(step);
  run_reduction(task, platform, integer_reduction_items<kSumTaps, kAtOnce>, &task);
  return ok_status();
}

// kAtOnce: neighbors of a row that the kernel adds up in the fewest instructions.
template <SumTaps* kSumTaps, uint32_t kAtOnce>
constexpr Form integer_reduction_form(uint8_t number) {
  return make_form(Op::kQuantizedSum, number,
                   {.parallel = true,
                    .safe_distance = integer_reduction_distance,
                    .run = run_integer_reduction<kSumTaps, kAtOnce>});
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

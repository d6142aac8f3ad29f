// Finds rows that lie evenly, and computes them in blocks of as many as a kernel takes at once.
#include "portable_fallback/shared/integer_softmax.h"

#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/softmax_blocks.h"

namespace arenite {
namespace {

// Dims that are one dim in x and in y, in elements.
struct EvenDim {
  uint32_t count, x_step, y_step;
};
// The axis, and all other dims.
struct EvenRows {
  EvenDim rows, elements;

  // Rows that are computed at once.
  uint32_t at_once() const {
    const uint32_t kept = softmax_rows_at_once(elements.count);
    return kept != 0 ? kept : 1;
  }
};

// Puts a dim outside, if both are one dim.
bool extend(EvenDim& dim, uint32_t count, uint32_t x_step, uint32_t y_step) {
  if (count == 1) return true;
  if (dim.count == 1) {
    dim = {count, x_step, y_step};
    return count != 0;
  }
  const uint64_t inner = dim.count;
  dim.count *= count;
  return count != 0 && inner * dim.x_step == x_step && inner * dim.y_step == y_step;
}

// Whether the step has elements, and its rows are such.
[[gnu::noinline]] bool find_rows(const Step& step, EvenRows& found) {
  QuantizedSoftmaxAttributes room;
  const uint32_t axes = step.attributes(room).axes;
  const uint32_t output = step.input_count();
  const uint32_t rank = step.elements(output).rank;
  const uint32_t* x = step.dims(0);
  const uint32_t* y = step.dims(output);
  found = {{1, 0, 0}, {1, 0, 0}};
  for (uint32_t d = rank; d-- > 0;) {
    EvenDim& dim = (axes >> d & 1) != 0 ? found.elements : found.rows;
    if (!extend(dim, y[d], x[rank + d], y[rank + d])) return false;
  }
  return true;
}

struct SoftmaxRun {
  EvenRows found;
  IntegerSoftmax softmax;
  void (*compute)(const IntegerSoftmax& softmax, const SoftmaxRows& rows);
  Src<uint8_t> x;
  Dst<uint8_t> y;
};

void row_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const SoftmaxRun& work = *static_cast<const SoftmaxRun*>(argument);
  const auto& [all, elements] = work.found;
  const uint32_t at_once = work.found.at_once();
  SoftmaxRows rows = {};
  rows.x_row = static_cast<ptrdiff_t>(all.x_step);
  rows.y_row = static_cast<ptrdiff_t>(all.y_step);
  rows.x_step = static_cast<ptrdiff_t>(elements.x_step);
  rows.y_step = static_cast<ptrdiff_t>(elements.y_step);
  rows.count = elements.count;
  for (; first < last; ++first) {
    const uint32_t row = first * at_once;
    const uint32_t left = all.count - row;
    rows.rows = left < at_once ? left : at_once;
    rows.x = work.x + static_cast<size_t>(row) * all.x_step;
    rows.y = work.y + static_cast<size_t>(row) * all.y_step;
    work.compute(work.softmax, rows);
  }
}

}  // namespace

bool takes_integer_softmax(const Step& step) {
  EvenRows found;
  return takes_softmax_rows(step, Rounding::kTfliteDouble) && find_rows(step, found);
}

// A row's elements are read from the first on and written up to the last, so many of both at once,
// and so are the rows of a block.
uint64_t integer_softmax_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  EvenRows found;
  if (!find_rows(step, found)) return kNoOverlap;
  DistanceNest nest(1);
  const auto& [rows, elements] = found;
  nest.add(DistanceLoop::blocks(elements.count, kSoftmaxAtOnce, elements.y_step, elements.x_step));
  nest.add(DistanceLoop::blocks(rows.count, found.at_once(), rows.y_step, rows.x_step));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

Status run_integer_softmax(const Step& step, const Platform& platform,
                           void (*compute)(const IntegerSoftmax& softmax,
                                           const SoftmaxRows& rows)) {
  const auto by = step.attributes<QuantizedSoftmaxAttributes>();
  SoftmaxRun work = {{},
                     {{by.multiplier, by.shift},
                      by.diff_min,
                      step.dtype(0) == DType::kInt8 ? 0x80 : 0,
                      by.output.zero_point,
                      by.output.low,
                      by.output.high},
                     compute,
                     step.input(0).read<uint8_t>(),
                     step.output(0).write<uint8_t>()};
  find_rows(step, work.found);
  const uint32_t at_once = work.found.at_once(), rows = work.found.rows.count;
  split(platform, (rows + at_once - 1) / at_once, uint64_t{rows} * work.found.elements.count * 64,
        row_items, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

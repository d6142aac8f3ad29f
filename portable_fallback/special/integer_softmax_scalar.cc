// Softmax of 8-bit integers by tables, along one axis.
#include "ops/attributes.h"
#include "portable_fallback/fast/integer_softmax_scalar_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/axis_rows.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Rows that a kernel takes at once.
constexpr uint32_t kRowsAtOnce = 16;

struct Task {
  explicit Task(const Step& step)
      : rows(step, step.attributes<QuantizedSoftmaxAttributes>().axes) {}

  AxisRows rows;
  TabledSoftmax softmax = {};
  Src<uint8_t> x = {};
  Dst<uint8_t> y = {};
};

void row_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Task*>(argument);
  const NestedLoop& kept = task.rows.kept;
  const NestedLoop& axes = task.rows.axes;
  SoftmaxRows rows = {};
  rows.x_row = kept.inner_stride(1);
  rows.y_row = kept.inner_stride(0);
  rows.x_step = axes.inner_stride(1);
  rows.y_step = axes.inner_stride(0);
  rows.count = axes.inner_dim();
  RowCursor at(kept, kRowsAtOnce, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    rows.x = task.x + at.offset(1);
    rows.y = task.y + at.offset(0);
    rows.rows = at.count();
    softmax_rows_scalar(task.softmax, rows);
  }
}

// Types of x are those of 8 bits, and tables have two rows of 256.
bool takes_tabled_softmax(const Step& step) {
  QuantizedSoftmaxAttributes room;
  const QuantizedSoftmaxAttributes& by = step.attributes(room);
  const bool one_axis = by.axes != 0 && (by.axes & (by.axes - 1)) == 0;
  return one_axis && by.output.rounding == Rounding::kHalfEven &&
         element_bytes(step.dtype(step.input_count())) == 1 && step.input(1).strides[1] == 1;
}

// Tables are read to the end.
uint64_t tabled_softmax_distance(const Step& step, uint32_t input) {
  if (input != 0) return kNoOverlap;
  return axis_rows_distance(step, step.attributes<QuantizedSoftmaxAttributes>().axes);
}

Status run_tabled_softmax(const Step& step, const Platform& platform) {
  Task task(step);
  if (task.rows.count() == 0 || task.rows.empty) return ok_status();
  const auto by = step.attributes<QuantizedSoftmaxAttributes>();
  const OutTensor y = step.output(0);
  const Tensor tables = step.input(1);
  const auto numerators = tables.read<uint32_t>();
  task.softmax = {numerators + static_cast<ptrdiff_t>(tables.strides[0]),
                  numerators,
                  step.dtype(0) == DType::kInt8 ? 0x80 : 0,
                  by.output.zero_point,
                  by.output.low,
                  by.output.high};
  task.x = step.input(0).read<uint8_t>();
  task.y = y.write<uint8_t>();
  split(platform, RowCursor::rows(task.rows.kept, kRowsAtOnce), element_count(y) * 64, row_items,
        &task);
  return ok_status();
}

}  // namespace

constexpr Form kQuantizedSoftmaxForm20 = make_form(Op::kQuantizedSoftmax, 20,
                                                   {.parallel = true,
                                                    .in_place = true,
                                                    .safe_distance = tabled_softmax_distance,
                                                    .accepts = takes_tabled_softmax,
                                                    .run = run_tabled_softmax});
ARENITE_FORM_CODE(QuantizedSoftmax, 20)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

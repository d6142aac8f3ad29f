// CumSum: a running sum along each row of an axis, in order, so that all targets give the same
// bits.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/modular.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/typed.h"

namespace arenite {
namespace {

struct CumSum {
  Tensor x;
  OutTensor y;
  CumSumAttributes attributes;
  NestedLoop rows;  // operands y, x
};

template <typename T>
void cum_sum_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const CumSum*>(argument);
  const uint32_t axis = task.attributes.axis;
  const uint32_t count = task.y.dims[axis];
  const ptrdiff_t sign = task.attributes.reverse != 0 ? -1 : 1;
  const ptrdiff_t x_step = sign * signed_stride(task.x, axis);
  const ptrdiff_t y_step = sign * signed_stride(task.y, axis);
  const auto start = static_cast<ptrdiff_t>(task.attributes.reverse != 0 ? count - 1 : 0);
  RowCursor row(task.rows, 1, first);
  for (uint32_t item = first; item < last; ++item, row.next()) {
    Src<T> x = task.x.read<T>() + row.offset(1) + start * signed_stride(task.x, axis);
    Dst<T> y = task.y.write<T>() + row.offset(0) + start * signed_stride(task.y, axis);
    Computed<T> sum = 0;
    for (uint32_t i = 0; i < count; ++i, x += x_step, y += y_step) {
      const Computed<T> next = wrapped_sum(sum, static_cast<Computed<T>>(T(*x)));
      *y = static_cast<T>(task.attributes.exclusive != 0 ? sum : next);
      sum = next;
    }
  }
}

template <TypeSet kTypes>
Status run_cum_sum(const Step& step, const Platform& platform) {
  CumSum task = {step.input(0), step.output(0), step.attributes<CumSumAttributes>(), {}};
  if (is_empty(task.y)) return ok_status();
  for (uint32_t d = 0; d < task.y.rank(); ++d) {
    if (d == task.attributes.axis) continue;
    task.rows.add(task.y.dims[d], signed_stride(task.y, d), signed_stride(task.x, d));
  }
  task.rows.merge();
  for_number<kTypes>(task.y.dtype(), [&]<typename T>() {
    split(platform, task.rows.size(), element_count(task.y), cum_sum_items<T>, &task);
  });
  return ok_status();
}

struct AnySum;
template <typename, TypeSet kTypes>
constexpr Form cum_sum_form(Op op, uint8_t number) {
  return make_form(op, number,
                   {.parallel = true, .in_place = kAnyPlace, .run = run_cum_sum<kTypes>});
}

}  // namespace

ARENITE_REFERENCE_FORMS(CumSum, AnySum, cum_sum_form)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

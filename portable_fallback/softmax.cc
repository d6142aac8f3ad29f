// y = e^(x - max) / sum of e^(x - max), over one or more axes together.
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/loop.h"
#include "portable_fallback/math.h"
#include "portable_fallback/safe_distance.h"
#include "portable_fallback/split.h"

namespace arenite {
namespace {

struct Softmax {
  Softmax(const Step& step, const Tensor& from, const OutTensor& to);

  Src<float> x;
  Dst<float> y;
  NestedLoop kept;  // operands y, x
  NestedLoop axes;  // likewise; in logical order, in which the sum runs
};

Softmax::Softmax(const Step& step, const Tensor& from, const OutTensor& to)
    : x(from.read<float>()), y(to.write<float>()) {
  const uint32_t axes_set = step.attributes<SoftmaxAttributes>().axes;
  for (uint32_t d = 0; d < to.rank(); ++d) {
    NestedLoop& loop = (axes_set >> d & 1u) != 0 ? axes : kept;
    loop.add(to.dims[d], signed_stride(to, d), signed_stride(from, d));
  }
  kept.sort();
  kept.merge();
  axes.merge();
}

// Calls row(y, x, count) for each row of one softmax.
template <typename F>
void for_rows(const NestedLoop& axes, Dst<float> y, Src<float> x, F row) {
  const uint32_t rows = RowCursor::rows(axes, axes.inner_dim());
  RowCursor cursor(axes, axes.inner_dim(), 0);
  for (uint32_t i = 0; i < rows; ++i, cursor.next()) {
    row(y + cursor.offset(0), x + cursor.offset(1), cursor.count());
  }
}

void softmax_one(const NestedLoop& axes, Dst<float> y, Src<float> x) {
  const ptrdiff_t ys = axes.inner_stride(0);
  const ptrdiff_t xs = axes.inner_stride(1);
  float max = -kInfinity;
  for_rows(axes, y, x, [&](Dst<float>, Src<float> from, uint32_t count) {
    for (; count != 0; --count, from += xs) {
      const float value = *from;
      max = value > max ? value : max;
    }
  });
  for_rows(axes, y, x, [&](Dst<float> to, Src<float> from, uint32_t count) {
    if (ys == 1 && xs == 1) {
      for (uint32_t j = 0; j < count; ++j) to[j] = exp_f32(from[j] - max);
    } else {
      for (; count != 0; --count, to += ys, from += xs) *to = exp_f32(*from - max);
    }
  });
  float sum = 0.0f;
  for_rows(axes, y, x, [&](Src<float> from, Src<float>, uint32_t count) {
    for (; count != 0; --count, from += ys) sum += *from;
  });
  for_rows(axes, y, x, [&](Dst<float> to, Src<float>, uint32_t count) {
    for (; count != 0; --count, to += ys) *to = *to / sum;
  });
}

void softmax_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Softmax*>(argument);
  RowCursor at(task.kept, 1, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    softmax_one(task.axes, task.y + at.offset(0), task.x + at.offset(1));
  }
}

Status run_softmax(const Step& step, const Platform& platform) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  Softmax task(step, x, y);
  split(platform, task.kept.size(), element_count(y) * 16, softmax_items, &task);
  return ok_status();
}

// Each softmax reads all of its input, then reads again as it writes.
uint64_t softmax_distance(const Step& step, uint32_t) {
  const OutTensor y = step.output(0);
  DistanceWalk walk;
  if (is_empty(y)) return 0;
  const Softmax task(step, step.input(0), y);
  DistanceNest nest(sizeof(float));
  nest.add(task.axes, 1, sizeof(float));
  nest.add(task.kept, 1, sizeof(float));
  walk.nest(nest);
  return walk.bytes();
}

}  // namespace

constexpr Form kSoftmaxForm0 = {
    .op = Op::kSoftmax,
    .number = 0,
    .parallel = true,
    .in_place = true,
    .types = kSoftmaxTypes,
    .safe_distance = softmax_distance,
    .run = run_softmax,
};
constexpr const Form* const kSoftmaxForms[] = {&kSoftmaxForm0, nullptr};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Family softmax: y = e^(x - max) / sum of e^(x - max) over one or more axes together, or its
// logarithm. A member is a struct of the operator's Type: normalize(axes, y, x, max).
#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/contracts.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/loop.h"
#include "portable_fallback/shared/math.h"
#include "portable_fallback/shared/row_start.h"
#include "portable_fallback/shared/safe_distance.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct Task {
  Task(const Step& step, const Tensor& from, const OutTensor& to);

  Src<float> x;
  Dst<float> y;
  NestedLoop kept;  // operands y, x
  NestedLoop axes;  // likewise; in logical order, in which the sum runs
};

Task::Task(const Step& step, const Tensor& from, const OutTensor& to)
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
  const uint32_t rows = rows_of(axes);
  for (uint32_t i = 0; i < rows; ++i) {
    const RowStart start(axes, i);
    row(y + start.y, x + start.x, axes.inner_dim());
  }
}

float largest(const NestedLoop& axes, Dst<float> y, Src<float> x) {
  const ptrdiff_t xs = axes.inner_stride(1);
  float max = -kInfinity;
  for_rows(axes, y, x, [&](Dst<float>, Src<float> from, uint32_t count) {
    for (; count != 0; --count, from += xs) {
      const float value = *from;
      max = value > max ? value : max;
    }
  });
  return max;
}

struct Softmax {
  static void normalize(const NestedLoop& axes, Dst<float> y, Src<float> x, float max) {
    const ptrdiff_t ys = axes.inner_stride(0);
    const ptrdiff_t xs = axes.inner_stride(1);
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
};

// Uses differences to the largest element, so that a small share's logarithm loses no more in
// rounding than its own.
struct LogSoftmax {
  static void normalize(const NestedLoop& axes, Dst<float> y, Src<float> x, float max) {
    const ptrdiff_t ys = axes.inner_stride(0);
    const ptrdiff_t xs = axes.inner_stride(1);
    float sum = 0.0f;
    for_rows(axes, y, x, [&](Dst<float>, Src<float> from, uint32_t count) {
      for (; count != 0; --count, from += xs) sum += exp_f32(*from - max);
    });
    const float log = log_f32(sum);
    for_rows(axes, y, x, [&](Dst<float> to, Src<float> from, uint32_t count) {
      for (; count != 0; --count, to += ys, from += xs) *to = (*from - max) - log;
    });
  }
};

template <typename Member>
void softmax_items(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& task = *static_cast<const Task*>(argument);
  RowCursor at(task.kept, 1, first);
  for (uint32_t item = first; item < last; ++item, at.next()) {
    const Src<float> x = task.x + at.offset(1);
    const Dst<float> y = task.y + at.offset(0);
    Member::normalize(task.axes, y, x, largest(task.axes, y, x));
  }
}

template <typename Member>
Status run_softmax(const Step& step, const Platform& platform) {
  const Tensor x = step.input(0);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  Task task(step, x, y);
  split(platform, task.kept.size(), element_count(y) * 16, softmax_items<Member>, &task);
  return ok_status();
}

// Each row reads all of its input, then reads again as it writes.
uint64_t softmax_distance(const Step& step, uint32_t) {
  const OutTensor y = step.output(0);
  DistanceWalk walk;
  if (is_empty(y)) return 0;
  const Task task(step, step.input(0), y);
  DistanceNest nest(sizeof(float));
  nest.add(task.axes, 1, sizeof(float));
  nest.add(task.kept, 1, sizeof(float));
  walk.nest(nest);
  return walk.bytes();
}

template <typename Member>
constexpr Form softmax_form(Op op) {
  return make_form(op, 0,
                   {.parallel = true,
                    .in_place = kAnyPlace,
                    .safe_distance = softmax_distance,
                    .run = run_softmax<Member>});
}

}  // namespace

#define ARENITE_OP_softmax(number, name, Type, set)                \
  constexpr Form k##Type##Form0 = softmax_form<Type>(Op::k##Type); \
  ARENITE_FORM_CODE(Type, 0)
#include "schema/ops.def"

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// y = e^(x - max) / sum of e^(x - max), over one or more axes together.
#include "core/attributes.h"
#include "core/kernel.h"
#include "portable_fallback/check.h"
#include "portable_fallback/kernels.h"
#include "portable_fallback/lead.h"
#include "portable_fallback/loop.h"
#include "portable_fallback/math.h"
#include "portable_fallback/split.h"

namespace arenite {
namespace {

Status check_softmax(const Step& step) {
  ARENITE_TRY(check_attributes<SoftmaxAttributes>(step));
  ARENITE_TRY(check_operands(step, {.min_inputs = 1, .max_inputs = 1, .max_outputs = 1}));
  ARENITE_TRY(check_all_types(step, DType::kFloat32));
  ARENITE_TRY(check_same_dims(step, 0));
  const uint32_t axes = step.attributes<SoftmaxAttributes>().axes;
  return axes >> step.output(0).rank == 0 ? ok_status() : error(Code::kBadAttribute);
}

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
  for (uint32_t d = 0; d < to.rank; ++d) {
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

void softmax_items(void* argument, uint32_t first, uint32_t last) {
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
  split(platform, task.kept.size(), bounded_count(y) * 16, softmax_items, &task);
  return ok_status();
}

// Each softmax reads all of its input, then reads again as it writes.
uint64_t softmax_lead(const Step& step, uint32_t) {
  const OutTensor y = step.output(0);
  LeadWalk walk;
  if (is_empty(y)) return 0;
  const Softmax task(step, step.input(0), y);
  constexpr int64_t kBytes = sizeof(float);
  const uint32_t count = task.kept.size();
  RowCursor at(task.kept, 1, 0);
  for (uint32_t i = 0; i < count; ++i, at.next()) {
    walk_loop(walk, task.axes, 1, {.y = at.offset(0) * kBytes, .x = at.offset(1) * kBytes});
  }
  return walk.lead_bytes();
}

}  // namespace

constexpr Kernel kSoftmaxKernel = {
    .op = Op::kSoftmax,
    .check = check_softmax,
    .run = run_softmax,
    .scratch_bytes = nullptr,
    .weight_layouts = 1u << static_cast<uint32_t>(Layout::kStrided),
    .alignment = alignof(float),
    .tail_bytes = 0,
    .parallel = true,
    .lead_bytes = softmax_lead,
    .in_place = InPlace::kCpu,
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Resizes planes of floats line by line, with vectors of four floats, which every 64-bit x86 and
// Arm has.
#include <bit>
#include <utility>

#include "ops/attributes.h"
#include "ops/check.h"
#include "portable_fallback/fast/float_resize_base_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/float_work.h"
#include "portable_fallback/shared/resize_axes.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Axes whose places and weights kernels read as plain arrays.
bool takes_resize(const Step& step) {
  const Tensor x = step.input(0);
  if (is_empty(x) || is_empty(step.output(0))) return false;
  for (uint32_t i = 1; i < step.input_count(); ++i) {
    if (!step.has_input(i)) continue;
    const Tensor table = step.input(i);
    if (table.dims[0] > 1 && table.strides[0] != 1) return false;
  }
  const Resize task(step);
  const uint32_t k = task.line_axis();
  return k != Resize::kAxes && task.axes[k].y_stride == 1;
}

// Columns of x.
uint32_t columns_of(const Step& step) {
  const Resize task(step);
  return step.input(0).dims[step.attributes<ResizeAttributes>().axis[task.line_axis()]];
}

ScratchNeed resize_scratch(const Step& step) {
  return {.thread_bytes = columns_of(step) * static_cast<uint32_t>(sizeof(float))};
}

#if defined(__SSE2__) || defined(__aarch64__)
struct Work {
  explicit Work(const Step& step)
      : task(step), inner(task.axes[task.line_axis()]), columns(columns_of(step)) {
    for (uint32_t k = 0, to = 0; k < task.line_axis(); ++k) outer[to++] = task.axes[k];
    if (!outer[1].there) std::swap(outer[0], outer[1]);
  }

  uint32_t lines() const { return outer[0].places * outer[1].places; }

  Resize task;
  ResizedAxis inner;
  ResizedAxis outer[2];  // the first is the one that may not be there
  uint32_t columns;
  float* sums = nullptr;  // [threads][columns]
};

void resize_line(const Work& work, uint32_t place, size_t x, size_t y, FloatResizeLine& line) {
  const Resize& task = work.task;
  const float* weights = static_cast<const float*>(static_cast<const void*>(task.weights.data));
  const uint32_t places[2] = {place / work.outer[1].places, place % work.outer[1].places};
  bool outside = false;
  for (uint32_t k = 0; k < 2; ++k) {
    const ResizedAxis& axis = work.outer[k];
    if (!axis.there) continue;
    const int32_t first = task.first_of(axis, places[k]);
    outside = outside || first == Resize::kOutside;
    x += outside ? 0 : static_cast<uint32_t>(first) * axis.x_stride;
    y += places[k] * axis.y_stride;
    if (weights == nullptr) continue;
    line.outer_weights[k] = weights + axis.weights + size_t{places[k]} * axis.taps;
  }
  line.x = floats(task.x) + x;
  line.y = floats(task.y) + y;
  if (!outside) return float_resize_base(line);
  for (uint32_t i = 0; i < line.places; ++i) line.y[i] = line.outside;
}

// An item is a line; the lines of a plane follow each other.
void resize_lines(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const Work*>(argument);
  const Resize& task = work.task;
  FloatResizeLine line = {};
  line.columns = work.columns;
  line.x_column = work.inner.x_stride;
  for (uint32_t k = 0; k < 2; ++k) {
    line.x_outer[k] = work.outer[k].x_stride;
    line.outer_taps[k] = work.outer[k].taps;
  }
  line.sums = work.sums + size_t{thread} * work.columns;
  line.firsts =
      static_cast<const int32_t*>(static_cast<const void*>(task.firsts.data)) + work.inner.first;
  if (task.weights.data != nullptr) {
    line.weights =
        static_cast<const float*>(static_cast<const void*>(task.weights.data)) + work.inner.weights;
  }
  line.places = work.inner.places;
  line.taps = work.inner.taps;
  line.outside = std::bit_cast<float>(task.outside_bits[0]);
  RowCursor plane(task.rest, 1, first / work.lines());
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t place = item % work.lines();
    if (place == 0 && item != first) plane.next();
    resize_line(work, place, static_cast<size_t>(plane.offset(1)),
                static_cast<size_t>(plane.offset(0)), line);
  }
}

Status run_resize(const Step& step, const Platform& platform) {
  Work work(step);
  if (!work.task.leads_inside(step)) {
    return {Code::kIndexOutOfRange, step.index(), step.input_value(1)};
  }
  work.sums = static_cast<float*>(static_cast<void*>(step.scratch().out));
  const uint64_t taps =
      uint64_t{work.outer[0].taps} * work.outer[1].taps + uint64_t{work.inner.taps};
  split(platform, RowCursor::rows(work.task.rest, 1) * work.lines(),
        element_count(work.task.y) * taps, resize_lines, &work);
  return ok_status();
}
#else
constexpr decltype(Form::run) run_resize = nullptr;
#endif

}  // namespace

constexpr Form kResizeForm40 = make_form(Op::kResize, 40,
                                         {.parallel = true,
                                          .alignment = sizeof(float),  // of the scratch too
                                          .scratch = resize_scratch,
                                          .accepts = takes_resize,
                                          .run = run_resize});
ARENITE_FORM_CODE(Resize, 40)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

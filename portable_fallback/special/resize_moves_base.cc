// Resizes planes of floats and bytes to their nearest elements, line by line, with vectors of any
// kind: a line that reads what the one before it read is a copy of it.
#include <utility>

#include "ops/attributes.h"
#include "ops/check.h"
#include "portable_fallback/fast/resize_moves_base_kernel.h"
#include "portable_fallback/forms.h"
#include "portable_fallback/shared/resize_axes.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Elements of a word or a byte, no sums, and places that are neighbors.
bool takes_moves(const Step& step) {
  const Tensor x = step.input(0), firsts = step.input(1);
  const uint32_t bytes = element_bytes(x.dtype());
  if (step.has_input(2) || (bytes != 1 && bytes != 4)) return false;
  if (is_empty(x) || is_empty(step.output(0))) return false;
  if (firsts.dims[0] > 1 && firsts.strides[0] != 1) return false;
  const Resize task(step);
  const uint32_t k = task.line_axis();
  return k != Resize::kAxes && task.axes[k].y_stride == 1;
}

#if defined(__SSE2__) || defined(__aarch64__)
using MovesKernel = void (*)(const ResizeMoves& line);

struct Work {
  explicit Work(const Step& step)
      : task(step), inner(task.axes[task.line_axis()]), bytes(element_bytes(task.x.dtype())) {
    for (uint32_t k = 0, to = 0; k < task.line_axis(); ++k) outer[to++] = task.axes[k];
    if (!outer[1].there) std::swap(outer[0], outer[1]);
    shared.x_column = inner.x_stride;
    shared.firsts = task.firsts.read<int32_t>() + inner.first;
    shared.places = inner.places;
    shared.outside = task.outside_bits[0];
    shared.doubles = inner.x_stride == 1;
    for (uint32_t i = 0; i < inner.places; ++i) {
      shared.doubles = shared.doubles && shared.firsts[i] == static_cast<int32_t>(i / 2);
    }
  }

  uint32_t lines() const { return outer[0].places * outer[1].places; }

  Resize task;
  ResizedAxis inner;
  ResizedAxis outer[2];  // the first is the one that may not be there
  uint32_t bytes;        // of an element
  ResizeMoves shared;    // what all lines have
};

// A line lies here, in elements from the starts of x and y.
struct LinePlace {
  size_t x, y;
  bool outside;
};

LinePlace place_of(const Work& work, const RowCursor& plane, uint32_t line) {
  LinePlace at = {static_cast<size_t>(plane.offset(1)), static_cast<size_t>(plane.offset(0)),
                  false};
  const uint32_t places[2] = {line / work.outer[1].places, line % work.outer[1].places};
  for (uint32_t k = 0; k < 2; ++k) {
    const ResizedAxis& axis = work.outer[k];
    if (!axis.there) continue;
    const int32_t first = work.task.first_of(axis, places[k]);
    at.y += places[k] * axis.y_stride;
    at.outside = at.outside || first == Resize::kOutside;
    if (!at.outside) at.x += static_cast<uint32_t>(first) * axis.x_stride;
  }
  return at;
}

void fill_outside(const ResizeMoves& line, uint32_t bytes) {
  for (uint32_t i = 0; i < line.places; ++i) {
    if (bytes == 1) {
      as<uint8_t>(line.y)[i] = static_cast<uint8_t>(line.outside);
    } else {
      as<uint32_t>(line.y)[i] = line.outside;
    }
  }
}

// An item is a line; the lines of a plane follow each other.
void move_lines(void* argument, uint32_t first, uint32_t last, uint32_t) {
  const auto& work = *static_cast<const Work*>(argument);
  const MovesKernel kernel = work.bytes == 1 ? move_bytes_base : move_words_base;
  ResizeMoves line = work.shared;
  LinePlace before = {};
  RowCursor plane(work.task.rest, 1, first / work.lines());
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t place = item % work.lines();
    if (place == 0 && item != first) plane.next();
    const LinePlace at = place_of(work, plane, place);
    line.x = work.task.x.read<std::byte>() + at.x * work.bytes;
    line.y = work.task.y.write<std::byte>() + at.y * work.bytes;
    if (at.outside) {
      fill_outside(line, work.bytes);
    } else if (item != first && !before.outside && at.x == before.x) {
      move_bytes(line.y, work.task.y.write<std::byte>() + before.y * work.bytes,
                 size_t{line.places} * work.bytes);
    } else {
      kernel(line);
    }
    before = at;
  }
}

Status run_moves(const Step& step, const Platform& platform) {
  Work work(step);
  if (!work.task.leads_inside(step)) {
    return {Code::kIndexOutOfRange, step.index(), step.input_value(1)};
  }
  split(platform, RowCursor::rows(work.task.rest, 1) * work.lines(), element_count(work.task.y),
        move_lines, &work);
  return ok_status();
}
#else
constexpr decltype(Form::run) run_moves = nullptr;
#endif

}  // namespace

constexpr Form kResizeForm43 =
    make_form(Op::kResize, 43, {.parallel = true, .accepts = takes_moves, .run = run_moves});
ARENITE_FORM_CODE(Resize, 43)

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

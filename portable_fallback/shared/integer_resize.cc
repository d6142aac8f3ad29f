// Walks the lines of a resized image: places of the outer axis, and what is not resized where its
// elements lie apart.
#include "portable_fallback/shared/integer_resize.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// The axis along which a line lies, and the one across.
struct LineAxes {
  const ResizedAxis& outer;
  const ResizedAxis& inner;
};
LineAxes axes_of(const Resize& task) {
  const ResizedAxis* axes = task.axes;
  // The last one is not there.
  return axes[1].there ? LineAxes{axes[0], axes[1]} : LineAxes{axes[2], axes[0]};
}

}  // namespace

ResizeLine resize_lines(const ResizeWork& work) {
  const Resize& task = work.task;
  const auto [outer, inner] = axes_of(task);
  ResizeLine line = {};
  line.firsts = task.firsts.read<int32_t>() + inner.first;
  if (task.weights.data != nullptr) {
    line.weights = task.weights.read<int16_t>() + inner.weights;
  }
  line.taps = inner.taps;
  line.outer_taps = outer.taps;
  line.places = inner.places;
  const size_t bytes = element_bytes(task.x.dtype());
  line.x_step = inner.x_stride * bytes;
  line.x_outer = outer.x_stride * bytes;
  line.y_step = inner.y_stride * bytes;
  line.fraction_bits = task.fraction_bits;
  line.outside = static_cast<uint16_t>(task.outside_bits[0]);
  line.is_unsigned = task.x.dtype() == DType::kUint8;
  return line;
}

void enter_line(const ResizeWork& work, uint32_t item, ResizeLine& line) {
  const Resize& task = work.task;
  const ResizedAxis& outer = axes_of(task).outer;
  const uint32_t place = item / work.rows;
  const RowCursor row(task.rest, work.piece, item % work.rows);
  const int32_t begin = outer.there ? task.first_of(outer, place) : 0;
  line.all_outside = begin == Resize::kOutside;
  const size_t x = line.all_outside ? 0 : static_cast<uint32_t>(begin) * outer.x_stride;
  const size_t bytes = element_bytes(task.x.dtype());
  const size_t y = place * outer.y_stride;
  line.x = task.x.read<std::byte>() + (x + static_cast<size_t>(row.offset(1))) * bytes;
  line.y = task.y.write<std::byte>() + (y + static_cast<size_t>(row.offset(0))) * bytes;
  line.channels = row.count();
  if (line.weights != nullptr && outer.there) {
    line.outer_weights =
        task.weights.read<int16_t>() + (outer.weights + size_t{place} * outer.taps);
  }
}

bool takes_integer_resize(const Step& step, uint32_t bytes) {
  const auto attributes = step.attributes<ResizeAttributes>();
  if (element_bytes(step.dtype(0)) != bytes || attributes.taps[2] != 0) return false;
  for (uint32_t i = 1; i < step.input_count(); ++i) {
    if (!step.has_input(i)) continue;
    const Tensor table = step.input(i);
    if (table.dims[0] > 1 && table.strides[0] != 1) return false;
  }
  if (!step.has_input(2)) return true;
  const uint32_t outer = attributes.taps[1] == 0 ? 1 : attributes.taps[0];
  const uint32_t inner = attributes.taps[1] == 0 ? attributes.taps[0] : attributes.taps[1];
  return outer <= kResizeTapsMax && inner <= kResizeTapsMax && outer * inner <= kResizeTapsMax &&
         attributes.fraction_bits >= 1 && attributes.fraction_bits <= kResizeFractionMax;
}

Status run_integer_resize(const Step& step, const Platform& platform, PieceFunction items) {
  if (is_empty(step.output(0))) return ok_status();
  ResizeWork work(step);
  const Resize& task = work.task;
  if (!task.leads_inside(step)) {
    return {Code::kIndexOutOfRange, step.index(), step.input_value(1)};
  }
  const bool neighbors = task.rest.inner_stride(0) == 1 && task.rest.inner_stride(1) == 1;
  work.piece = neighbors ? kRowPiece : 1;
  work.rows = RowCursor::rows(task.rest, work.piece);
  const LineAxes axes = axes_of(task);
  split(platform, axes.outer.places * work.rows,
        uint64_t{element_count(task.y)} * axes.outer.taps * axes.inner.taps, items, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

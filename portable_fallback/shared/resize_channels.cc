// Walks the lines of a resized image: places of the outer axis, in each of them the channels that
// are neighbors, as many at a time as keep the sums of a line in a cache.
#include "portable_fallback/shared/resize_channels.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "portable_fallback/fast/integer_resize.h"
#include "portable_fallback/shared/integer_rows.h"
#include "portable_fallback/shared/resize_axes.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

constexpr uint32_t kSumsMost = 8192;        // 32 KiB
constexpr uint32_t kChannelsLeast = 32;     // so that a piece has whole vectors
constexpr uint32_t kColumnsMost = 1 << 20;  // so that scratch is a number of 32 bits

// The axis along which a line lies, and the one across, which may not be there.
struct LineAxes {
  explicit LineAxes(const Resize& task)
      : outer(task.axes[task.axes[1].there ? 0 : 2]),
        inner(task.axes[task.axes[1].there ? 1 : 0]) {}

  const ResizedAxis& outer;
  const ResizedAxis& inner;
};

uint32_t columns_of(const Step& step) {
  const auto attributes = step.attributes<ResizeAttributes>();
  return step.input(0).dims[attributes.axis[attributes.taps[1] != 0 ? 1 : 0]];
}

// Channels that a kernel takes at a time.
uint32_t piece_of(const Resize& task, uint32_t columns) {
  const bool neighbors = task.rest.inner_stride(0) == 1 && task.rest.inner_stride(1) == 1;
  if (!neighbors) return 1;
  const uint32_t most = kSumsMost / columns / kChannelsLeast * kChannelsLeast;
  const uint32_t limit = most < kChannelsLeast ? kChannelsLeast : most;
  return task.rest.inner_dim() < limit ? task.rest.inner_dim() : limit;
}

struct ResizeChannelsWork {
  ResizeChannelsWork(const Step& step, ResizeChannelsKernel compute_line)
      : task(step),
        compute(compute_line),
        columns(columns_of(step)),
        piece(piece_of(task, columns)),
        rows(RowCursor::rows(task.rest, piece)),
        sums(step.has_input(2) ? rows_of(step) : nullptr) {}

  uint32_t sums_of_thread() const { return columns * piece + kChannelSumsMore; }

  Resize task;
  ResizeChannelsKernel compute;
  uint32_t columns, piece;
  uint32_t rows;   // of all that is not resized
  uint32_t* sums;  // [threads][sums_of_thread()]
};

ChannelType channel_type(DType type) {
  if (type == DType::kFloat32) return ChannelType::kFloat;
  return type == DType::kInt8 ? ChannelType::kInt8 : ChannelType::kUint8;
}

const std::byte* weight_at(const Tensor& weights, size_t at) {
  return weights.data + at * element_bytes(weights.dtype());
}

// Returns the facts that all lines share.
ResizeChannels lines_of(const ResizeChannelsWork& work, uint32_t thread) {
  const Resize& task = work.task;
  const LineAxes axes(task);
  ResizeChannels line = {};
  line.type = channel_type(task.x.dtype());
  line.x_step = axes.inner.x_stride;
  line.x_outer = axes.outer.x_stride;
  line.columns = work.columns;
  line.outer_taps = axes.outer.taps;
  line.taps = axes.inner.taps;
  if (task.weights.data != nullptr) line.weights = weight_at(task.weights, axes.inner.weights);
  line.firsts =
      static_cast<const int32_t*>(static_cast<const void*>(task.firsts.data)) + axes.inner.first;
  line.y_step = axes.inner.y_stride;
  line.places = axes.inner.places;
  if (work.sums != nullptr) line.sums = work.sums + size_t{thread} * work.sums_of_thread();
  line.fraction_bits = task.fraction_bits;
  line.outside = task.outside_bits[0];
  return line;
}

void line_items(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const ResizeChannelsWork*>(argument);
  const Resize& task = work.task;
  const ResizedAxis& outer = LineAxes(task).outer;
  const size_t bytes = element_bytes(task.x.dtype());
  ResizeChannels line = lines_of(work, thread);
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t place = item / work.rows;
    const RowCursor row(task.rest, work.piece, item % work.rows);
    const int32_t begin = outer.there ? task.first_of(outer, place) : 0;
    line.all_outside = begin == Resize::kOutside;
    const size_t x = line.all_outside ? 0 : static_cast<uint32_t>(begin) * outer.x_stride;
    line.x = task.x.data + (x + static_cast<size_t>(row.offset(1))) * bytes;
    line.y = task.y.out + (place * outer.y_stride + static_cast<size_t>(row.offset(0))) * bytes;
    line.channels = row.count();
    if (line.weights != nullptr && outer.there) {
      line.outer_weights = weight_at(task.weights, outer.weights + size_t{place} * outer.taps);
    }
    work.compute(line);
  }
}

}  // namespace

// Images of which a line reads few of many columns are left to others: all columns are added up.
bool takes_resize_channels(const Step& step) {
  const auto attributes = step.attributes<ResizeAttributes>();
  const DType type = step.dtype(0);
  const bool is_float = type == DType::kFloat32;
  if ((!is_float && type != DType::kInt8 && type != DType::kUint8) || attributes.taps[2] != 0 ||
      attributes.taps[0] == 0 || is_empty(step.input(0)) || is_empty(step.output(0))) {
    return false;
  }
  for (uint32_t i = 1; i < step.input_count(); ++i) {
    if (!step.has_input(i)) continue;
    const Tensor table = step.input(i);
    if (table.dims[0] > 1 && table.strides[0] != 1) return false;
  }
  if (!step.has_input(2)) return true;
  const Resize task(step);
  const ResizedAxis& inner = LineAxes(task).inner;
  const uint32_t columns = columns_of(step);
  const bool divides =
      is_float || (attributes.fraction_bits >= 1 && attributes.fraction_bits <= kResizeFractionMax);
  return divides && columns <= kColumnsMost && columns <= uint64_t{inner.places} * inner.taps;
}

ScratchNeed resize_channels_scratch(const Step& step) {
  if (!step.has_input(2)) return {};
  const uint32_t columns = columns_of(step);
  return rows_scratch(columns * piece_of(Resize(step), columns) + kChannelSumsMore);
}

// Places read what others read, so that y overlaps nothing, as of the references.
uint64_t resize_channels_distance(const Step&, uint32_t) { return kNoOverlap; }

Status run_resize_channels(const Step& step, const Platform& platform,
                           ResizeChannelsKernel kernel) {
  ResizeChannelsWork work(step, kernel);
  const Resize& task = work.task;
  if (!task.leads_inside(step)) {
    return {Code::kIndexOutOfRange, step.index(), step.input_value(1)};
  }
  const LineAxes axes(task);
  split(platform, axes.outer.places * work.rows,
        element_count(task.y) * (uint64_t{axes.outer.taps} + axes.inner.taps), line_items, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

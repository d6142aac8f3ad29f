// Reads which taps each line of places has from steps, and states the distances of such loops.
#include "portable_fallback/shared/integer_taps.h"

#include "core/platform.h"
#include "ops/check.h"
#include "portable_fallback/shared/blocked_rows.h"
#include "portable_fallback/shared/safe_distance.h"

namespace arenite {
namespace {

// Beyond, scratch would not be a number of 32 bits.
constexpr uint64_t kDepthMax = 1 << 24;

uint64_t depth_of_row(const Tensor& w) {
  uint64_t depth = 1;
  for (uint32_t d = 1; d < w.rank(); ++d) depth *= w.dims[d];
  return depth;
}

// Whether runs go on along an axis: all its taps reach each place, one behind the other.
bool joins(const OutputAxis& axis) { return axis.window.kernel == 1 || axis.window.tap_step == 1; }

// What both kinds of convolutions have, but for their axes.
template <typename Attributes>
void set_operands(const Step& step, const Attributes& attributes, int32_t outside, TapsWork& work) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  IntegerTaps& p = work.taps;
  p.x = x.read<std::byte>();
  p.w = w.data;
  p.y = y.write<int8_t>();
  p.x_c = x.strides[1];
  p.y_c = y.strides[1];
  p.groups = attributes.groups;
  p.channels = w.dims[1];
  p.columns = w.dims[0] / attributes.groups;
  p.w_zero_point = attributes.w_zero_point;
  const bool is_unsigned = x.dtype() == DType::kUint8;
  p.flip = is_unsigned ? 0x80808080 : 0;
  p.added = (is_unsigned ? 128 : 0) - attributes.x_zero_point;
  p.outside = outside - attributes.x_zero_point;
  work.x_n = x.strides[0] * element_bytes(x.dtype());
  work.y_n = y.strides[0] * element_bytes(y.dtype());
  work.images = y.dims[0];
  p.depth = p.channels;
  for (uint32_t axis = 3; axis-- > 0;) {
    work.axes[axis].tap_products = p.depth;
    p.depth *= work.axes[axis].window.kernel;
  }
  const OutputAxis& places = work.axes[2];
  p.advance = places.advance;
  p.y_w = places.phases * y.strides[y.rank() - 1];
}

// Sets the runs of taps that reach places, `counts` of them along each axis, from `first` on.
void set_runs(const TapsWork& work, const uint32_t (&counts)[3], uint32_t first, TapRuns& runs) {
  runs.first = first;
  runs.length = work.taps.channels;
  bool joined = true;
  for (uint32_t axis = 3; axis-- > 0;) {
    const OutputAxis& along = work.axes[axis];
    joined = joined && joins(along) && counts[axis] != 0;
    if (joined) runs.length *= counts[axis];
    runs.count[axis] = joined ? 1 : counts[axis];
    runs.step[axis] = along.window.tap_step * along.tap_products;
  }
}

// A place reads and writes one group after the other.
DistanceNest nest_of_groups(uint32_t groups, const Tensor& x, const Tensor& w, const OutTensor& y) {
  const uint32_t columns = w.dims[0] / groups;
  DistanceNest nest((columns - 1) * y.strides[1] + 1);
  nest.add(DistanceLoop::even(groups, int64_t{columns} * y.strides[1],
                              int64_t{w.dims[1]} * x.strides[1]));
  return nest;
}

bool takes_groups(const Step& step, const QuantizedConvAttributes& attributes,
                  const Blocks& blocks) {
  const Tensor w = step.input(1);
  const bool depthwise = w.dims[1] == 1 && w.dims[0] == attributes.groups;
  return attributes.groups > 1 && !depthwise && !is_empty(step.input(0)) && !is_empty(w) &&
         depth_of_row(w) < kDepthMax && takes_blocks(step, blocks);
}

bool takes_transposed(const Step& step, const QuantizedConvTransposeAttributes& attributes,
                      const Blocks& blocks) {
  const Tensor w = step.input(1);
  const bool depthwise = w.dims[1] == 1 && w.dims[0] == attributes.groups && attributes.groups > 1;
  return !depthwise && !is_empty(step.input(0)) && !is_empty(w) && depth_of_row(w) < kDepthMax &&
         takes_blocks(step, blocks);
}

template <typename Attributes>
bool has_no_zero_points(const Attributes& attributes) {
  return attributes.x_zero_point == 0 && attributes.w_zero_point == 0;
}

}  // namespace

uint32_t TapsWork::set_line(uint32_t line, IntegerTaps& p) const {
  uint32_t first[3];  // outputs: a slice, a row, and a phase of places
  first[2] = line % axes[2].phases;
  line /= axes[2].phases;
  first[1] = line % axes[1].outputs;
  line /= axes[1].outputs;
  first[0] = line % axes[0].outputs;
  const uint32_t image = line / axes[0].outputs;
  p.x = taps.x + image * x_n;
  p.y = taps.y + image * y_n;
  uint32_t counts[3], tap = 0;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const OutputAxis& along = axes[axis];
    const uint32_t step = first[axis] / along.phases;
    const TransposedWindow& window = along.window;
    PhaseTaps reach = {0, window.kernel, -static_cast<int32_t>(window.pad_begin)};
    if (is_transposed) reach = window.phase_taps(first[axis] % along.phases);
    TapAxis& to = p.axes[axis];
    to.taps = counts[axis] = reach.count;
    to.first = reach.position + static_cast<int32_t>(step * along.advance);
    tap += reach.first * along.tap_products;
    p.y += first[axis] * along.y_step;
  }
  set_runs(*this, counts, tap, p.runs);
  return (axes[2].outputs - first[2] - 1) / axes[2].phases + 1;
}

TapsWork grouped_taps(const Step& step) {
  const auto attributes = step.attributes<QuantizedConvAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  TapsWork work = {};
  work.axes[0] = {{1, 1, 1, 1, 0}, 1, 1, 1, 0, 0};
  work.taps.axes[0] = {1, 0, 1, 1, 0};
  for (uint32_t axis = 0; axis < 2; ++axis) {
    const uint32_t d = 2 + axis;
    OutputAxis& along = work.axes[1 + axis];
    const size_t y_step = y.strides[d] * element_bytes(y.dtype());
    along = {{}, y.dims[d], 1, attributes.stride[axis], y_step, 0};
    along.window.input = x.dims[d];
    along.window.kernel = w.dims[d];
    along.window.pad_begin = attributes.pad_begin[axis];
    along.window.tap_step = 1;
    work.taps.axes[1 + axis] = {0, 0, static_cast<int32_t>(attributes.dilation[axis]), x.dims[d],
                                x.strides[d]};
  }
  set_operands(step, attributes, attributes.outside, work);
  return work;
}

TapsWork transposed_taps(const Step& step) {
  const auto attributes = step.attributes<QuantizedConvTransposeAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  TapsWork work = {};
  work.is_transposed = true;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const uint32_t d = 2 + axis;
    const TransposedWindow window = transposed_window(attributes, x, w, axis);
    const uint32_t phases = window.stride < y.dims[d] ? window.stride : y.dims[d];
    const size_t y_step = y.strides[d] * element_bytes(y.dtype());
    work.axes[axis] = {window, y.dims[d], phases, 1, y_step, 0};
    work.taps.axes[axis] = {0, 0, -static_cast<int32_t>(window.input_step), x.dims[d],
                            x.strides[d]};
  }
  set_operands(step, attributes, attributes.x_zero_point, work);
  return work;
}

TapsSizes sizes_of(const TapsWork& work) {
  uint32_t most[3];
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const TransposedWindow& window = work.axes[axis].window;
    most[axis] = blocks_over(window.kernel, window.tap_step);
  }
  TapRuns runs;
  set_runs(work, most, 0, runs);
  return {runs.count[0] * runs.count[1] * runs.count[2], runs.length,
          blocks_over(work.axes[2].outputs, work.axes[2].phases)};
}

bool are_tap_rows(const Tensor& w) {
  uint64_t step = 1;
  if (w.dims[1] != 1 && w.strides[1] != 1) return false;
  step = w.dims[1];
  for (uint32_t d = w.rank(); d-- > 2;) {
    if (w.dims[d] != 1 && w.strides[d] != step) return false;
    step *= w.dims[d];
  }
  return w.dims[0] == 1 || w.strides[0] == step;
}

bool takes_grouped_taps(const Step& step, const Blocks& blocks) {
  QuantizedConvAttributes room;
  return takes_groups(step, step.attributes(room), blocks) && takes_integer_results(step);
}

bool takes_transposed_taps(const Step& step, const Blocks& blocks) {
  QuantizedConvTransposeAttributes room;
  return takes_transposed(step, step.attributes(room), blocks) && takes_integer_results(step);
}

bool takes_int16_grouped_taps(const Step& step, const Blocks& blocks) {
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  return takes_groups(step, attributes, blocks) && has_no_zero_points(attributes) &&
         takes_int16_results(step);
}

bool takes_int16_transposed_taps(const Step& step, const Blocks& blocks) {
  QuantizedConvTransposeAttributes room;
  const QuantizedConvTransposeAttributes& attributes = step.attributes(room);
  return takes_transposed(step, attributes, blocks) && has_no_zero_points(attributes) &&
         takes_int16_results(step);
}

uint64_t grouped_taps_distance(const Step& step, uint32_t input,
                               uint32_t (*at_once)(uint32_t left)) {
  if (input != 0) return kNoOverlap;
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return 0;
  QuantizedConvAttributes room;
  const QuantizedConvAttributes& attributes = step.attributes(room);
  DistanceNest nest = nest_of_groups(attributes.groups, x, w, y);
  nest.add(DistanceLoop::window_pieces(conv_window(attributes, x, w, 1), y.dims[3], y.strides[3],
                                       x.strides[3], at_once));
  return distance_of_lines(attributes, x, w, y, nest);
}

uint64_t transposed_taps_distance(const Step& step, uint32_t input,
                                  uint32_t (*at_once)(uint32_t left)) {
  if (input != 0) return kNoOverlap;
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  if (is_empty(y)) return 0;
  QuantizedConvTransposeAttributes room;
  const QuantizedConvTransposeAttributes& attributes = step.attributes(room);
  DistanceNest nest = nest_of_groups(attributes.groups, x, w, y);
  nest.add(DistanceLoop::transposed_pieces(transposed_window(attributes, x, w, 2), y.dims[4],
                                           y.strides[4], x.strides[4], at_once));
  for (uint32_t axis = 2; axis-- > 0;) {
    nest.add(DistanceLoop::transposed(transposed_window(attributes, x, w, axis), y.dims[2 + axis],
                                      y.strides[2 + axis], x.strides[2 + axis]));
  }
  nest.add(DistanceLoop::even(y.dims[0], y.strides[0], x.strides[0]));
  DistanceWalk walk;
  walk.nest(nest);
  return walk.bytes();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

// Describes transposed convolutions to a kernel of float products. The outputs a stride apart, a
// phase, are those of a convolution of the taps that reach them: each tap is one of a single tap
// over them, whose sums start at what the taps before left in their place.
//
//   stride 2, taps 0 1 2 3:   output  0 1 2 3 4 5 ...    phase 0: taps 0 and 2
//                             phase   0 1 0 1 0 1        phase 1: taps 1 and 3
#include "portable_fallback/shared/float_conv_transpose.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/window.h"
#include "portable_fallback/shared/float_work.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

// Height and width of an image, or of what lies a step apart in it.
struct Axis {
  TransposedWindow window;
  uint32_t outputs;
  size_t x, w, y;  // elements between inputs, taps and outputs

  uint32_t phases() const { return window.stride < outputs ? window.stride : outputs; }
  uint32_t outputs_of(uint32_t phase) const { return (outputs - phase - 1) / window.stride + 1; }
};

struct PhaseWork : FloatWork {
  using FloatWork::FloatWork;
  size_t x_n = 0, x_g = 0, w_g = 0, y_n = 0, y_g = 0;  // elements between images and groups
  uint32_t groups = 1;
  Axis depth = {}, height = {}, width = {};
};

// Has the inputs of p begin at the one that a tap takes for the first output, inside or beside it.
void begin_at(int32_t position, uint32_t input, size_t step, const float*& x, uint32_t& inputs,
              uint32_t& pad) {
  if (position < 0) {
    inputs = input;
    pad = static_cast<uint32_t>(-position);
    return;
  }
  const auto at = static_cast<uint32_t>(position);
  const uint32_t left_out = at < input ? at : input;
  if (left_out != input) x += left_out * step;
  inputs = input - left_out;
  pad = 0;
}

// Adds the taps that reach the outputs of a phase, at a depth of y.
void add_phase(const PhaseWork& work, const FloatProducts& p, const ReachingTaps& depth,
               const PhaseTaps& height, const PhaseTaps& width, const FloatRange& range) {
  const uint32_t lines = height.count, taps = lines * width.count;
  const uint32_t all = depth.count * taps;
  if (all == 0) {
    FloatProducts none = p;
    none.in_h = 0;  // the sums are what they start at
    return work.kernel.add(none, range);
  }
  const TransposedWindow& d = work.depth.window;
  const TransposedWindow& h = work.height.window;
  const TransposedWindow& w = work.width.window;
  for (uint32_t i = 0; i < all; ++i) {
    const uint32_t i_d = i / taps, i_h = i % taps / width.count, i_w = i % width.count;
    FloatProducts part = p;
    part.x += (depth.position - i_d * d.input_step) * work.depth.x;
    begin_at(height.position - static_cast<int32_t>(i_h * h.input_step), h.input, p.x_h, part.x,
             part.in_h, part.pad_h);
    begin_at(width.position - static_cast<int32_t>(i_w * w.input_step), w.input, p.x_w, part.x,
             part.in_w, part.pad_w);
    move_weights(part, (depth.first + i_d * d.tap_step) * work.depth.w +
                           (height.first + i_h * h.tap_step) * work.height.w +
                           (width.first + i_w * w.tap_step) * work.width.w);
    if (i != 0) {
      part.bias = nullptr;
      part.residual = part.y;
    }
    if (i + 1 != all) part.end = FloatEnd::kSum;
    work.kernel.add(part, range);
  }
}

void phase_ranges(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const PhaseWork*>(argument);
  const uint32_t phases_w = work.width.phases();
  const uint32_t phases = work.height.phases() * phases_w;
  for (uint32_t item = first; item < last; ++item) {
    const uint32_t part = work.part_of(item);
    const uint32_t phase_h = part % phases / phases_w, phase_w = part % phases_w;
    const uint32_t slice = part / phases % work.depth.outputs;
    const uint32_t g = part / phases / work.depth.outputs % work.groups;
    const uint32_t n = part / phases / work.depth.outputs / work.groups;
    FloatProducts p = work.products_of(thread);
    p.out_w = work.width.outputs_of(phase_w);
    // Phases have as many places as the first one, or fewer.
    const uint32_t rows = work.height.outputs_of(phase_h) * p.out_w;
    FloatRange range = work.range_of(item);
    if (range.row_end > rows) range.row_end = rows;
    if (range.row >= range.row_end) continue;
    p.x += n * work.x_n + g * work.x_g;
    move_weights(p, g * work.w_g);
    p.y += n * work.y_n + g * work.y_g + slice * work.depth.y + phase_h * work.height.y +
           phase_w * work.width.y;
    if (p.bias != nullptr) p.bias += size_t{g} * p.columns;
    add_phase(work, p, work.depth.window.taps(slice), work.height.window.phase_taps(phase_h),
              work.width.window.phase_taps(phase_w), range);
  }
}

Axis axis_of(const Step& step, uint32_t axis) {
  const auto attributes = step.attributes<ConvTransposeAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  Axis of = {transposed_window(attributes, x, w, axis), y.dims[2 + axis], x.strides[2 + axis],
             w.strides[2 + axis], y.strides[2 + axis]};
  if (w.layout() == Layout::kPanel16) {
    of.w = size_t{w.dims[1]} * kPanelWidth;
    for (uint32_t d = 3 + axis; d < w.rank(); ++d) of.w *= w.dims[d];
  }
  return of;
}

// The products of one tap of one group.
FloatProducts tap_products(const Step& step) {
  const auto attributes = step.attributes<ConvTransposeAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  FloatProducts p = {};
  p.x = floats(x);
  p.x_c = x.strides[1];
  p.x_h = x.strides[3];
  p.x_w = x.strides[4];
  set_weights(w, w.strides[0], w.strides[1],
              uint64_t{w.dims[1]} * w.dims[2] * w.dims[3] * w.dims[4], p);
  if (step.has_input(2)) p.bias = floats(step.input(2));
  p.y = floats(y);
  p.y_c = y.strides[1];
  p.y_h = size_t{attributes.stride[1]} * y.strides[3];
  p.y_w = size_t{attributes.stride[2]} * y.strides[4];
  p.kernel_h = p.kernel_w = p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = 1;
  p.in_h = p.in_w = 1;
  p.out_w = axis_of(step, 2).outputs_of(0);
  p.channels = w.dims[1];
  p.columns = y.dims[1] / attributes.groups;
  return p;
}

uint32_t rows_of(const Step& step) {
  return axis_of(step, 1).outputs_of(0) * axis_of(step, 2).outputs_of(0);
}

// Products of all sums, as if each output had as many taps as the most have.
uint64_t work_of(const Step& step) {
  uint64_t work = uint64_t{element_count(step.output(0))} * step.input(1).dims[1];
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const TransposedWindow window = axis_of(step, axis).window;
    work *= (window.kernel - 1) / window.tap_step + 1;
  }
  return work;
}
uint32_t parts_of(const Step& step) {
  return step.input(0).dims[0] * step.attributes<ConvTransposeAttributes>().groups *
         step.output(0).dims[2] * axis_of(step, 1).phases() * axis_of(step, 2).phases();
}

}  // namespace

bool takes_float_conv_transpose(const Step& step) {
  // Groups of fewer channels or columns leave most of a vector empty.
  constexpr uint32_t kLeastOfGroup = 4;
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  if (is_empty(x) || is_empty(w) || is_empty(y)) return false;
  const uint32_t groups = step.attributes<ConvTransposeAttributes>().groups;
  if (groups != 1 && (w.layout() == Layout::kPanel16 || w.dims[1] < kLeastOfGroup ||
                      w.dims[0] / groups < kLeastOfGroup)) {
    return false;
  }
  return takes_bias(step) && gains(work_of(step) / parts_of(step));
}

ScratchNeed float_conv_transpose_scratch(const Step& step) {
  return scratch_of(tap_products(step), rows_of(step), work_of(step));
}

Status run_float_conv_transpose(const Step& step, const Platform& platform,
                                const FloatKernel& kernel) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<ConvTransposeAttributes>();
  FloatProducts p = tap_products(step);
  set_end(attributes.activation, p);
  PhaseWork work(step, kernel, p, rows_of(step), parts_of(step), platform);
  work.groups = attributes.groups;
  work.x_n = x.strides[0];
  work.x_g = size_t{p.channels} * x.strides[1];
  work.w_g = size_t{p.columns} * w.strides[0];
  work.y_n = y.strides[0];
  work.y_g = size_t{p.columns} * y.strides[1];
  work.depth = axis_of(step, 0);
  work.height = axis_of(step, 1);
  work.width = axis_of(step, 2);
  split(platform, work.items(), work_of(step), phase_ranges, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

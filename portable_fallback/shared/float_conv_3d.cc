// Describes convolutions over three spatial dims to a kernel of float products, as windows over two
// of them. Each slice of the output adds up the slices under its taps along the depth, one after
// another: its sums start at what the ones before left in their place. Where taps lie along the
// depth alone, the windows are over slices whose lines are joined, and nothing is left to add up.
#include "portable_fallback/shared/float_conv_3d.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/window.h"
#include "portable_fallback/shared/float_conv.h"
#include "portable_fallback/shared/float_work.h"
#include "portable_fallback/shared/join_lines.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/widen_weights.h"

namespace arenite {
namespace {

// The dim that is neither the windows' height nor their width.
struct Slices {
  Window window = {1, 1, 1, 1, 0};
  uint32_t count = 1;          // of y
  size_t x = 0, w = 0, y = 0;  // elements between those of x and y, and between taps
};

struct Volume {
  FloatProducts p;  // of one group, or of all whose channels each have one
  uint32_t rows;    // places of a slice
  Slices slices;
};

struct VolumeWork : FloatWork {
  using FloatWork::FloatWork;
  Slices slices;
  size_t x_n = 0, x_g = 0, w_g = 0, y_n = 0, y_g = 0;  // elements between images and groups
  uint32_t groups = 1;
  decltype(FloatKernel::add) add = kernel.add;
};

void add_slices(const VolumeWork& work, FloatProducts p, uint32_t slice, const FloatRange& range) {
  const Slices& slices = work.slices;
  p.y += slice * slices.y;
  const Taps taps = slices.window.taps(slice);
  if (taps.begin == taps.end) {
    p.in_h = 0;  // of no tap: the sums are what they start at
    return work.add(p, range);
  }
  for (uint32_t tap = taps.begin; tap < taps.end; ++tap) {
    FloatProducts part = p;
    part.x += static_cast<size_t>(slices.window.position(slice, tap)) * slices.x;
    move_weights(part, tap * slices.w);
    if (tap != taps.begin) {
      part.bias = nullptr;
      part.residual = part.y;
    }
    if (tap + 1 != taps.end) part.end = FloatEnd::kSum;
    work.add(part, range);
  }
}

void volume_ranges(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const VolumeWork*>(argument);
  for (uint32_t item = first; item < last; ++item) {
    FloatProducts p = work.products_of(thread);
    const uint32_t part = work.part_of(item);
    const uint32_t slice = part % work.slices.count;
    const uint32_t g = part / work.slices.count % work.groups;
    const uint32_t n = part / work.slices.count / work.groups;
    p.x += n * work.x_n + g * work.x_g;
    move_weights(p, g * work.w_g);
    p.y += n * work.y_n + g * work.y_g;
    if (p.bias != nullptr) p.bias += size_t{g} * p.columns;
    add_slices(work, p, slice, work.range_of(item));
  }
}

// Whether taps lie along the depth alone, and the lines of a slice follow each other evenly.
bool joins_slices(const Window& height, const Window& width, const Tensor& x, const OutTensor& y) {
  const auto same = [](const Window& window, uint32_t outputs) {
    return window.kernel == 1 && window.stride == 1 && window.pad_begin == 0 &&
           window.input == outputs;
  };
  return same(height, y.dims[3]) && same(width, y.dims[4]) &&
         x.strides[3] == x.dims[4] * x.strides[4] && y.strides[3] == y.dims[4] * y.strides[4];
}

void set_window(const Window& height, const Window& width, FloatProducts& p) {
  p.in_h = height.input;
  p.in_w = width.input;
  p.kernel_h = height.kernel;
  p.kernel_w = width.kernel;
  p.stride_h = height.stride;
  p.stride_w = width.stride;
  p.dilation_h = height.dilation;
  p.dilation_w = width.dilation;
  p.pad_h = height.pad_begin;
  p.pad_w = width.pad_begin;
}

// `lines`: the kernel that reads lines as they are, or null.
Volume volume_of(const Step& step, const FloatKernel* lines) {
  const auto attributes = step.attributes<Conv3dAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  const Window depth = conv_window(attributes, x, w, 0);
  const Window height = conv_window(attributes, x, w, 1);
  const Window width = conv_window(attributes, x, w, 2);
  Volume volume = {};
  FloatProducts& p = volume.p;
  p.x = floats(x);
  p.x_c = x.strides[1];
  p.x_w = x.strides[4];
  const uint64_t slice_products = uint64_t{w.dims[1]} * w.dims[3] * w.dims[4];
  set_weights(w, w.strides[0], product_stride(w), slice_products * w.dims[2], p);
  if (lines != nullptr) widen_weights(step, *lines, p);
  if (step.has_input(2)) p.bias = floats(step.input(2));
  p.y = floats(y);
  p.y_c = y.strides[1];
  p.y_w = y.strides[4];
  p.channels = w.dims[1];
  p.columns = y.dims[1];
  p.columns_of_channel = columns_of_channel(w, attributes.groups);
  if (joins_slices(height, width, x, y)) {
    const Window line = {x.dims[3] * x.dims[4], 1, 1, 1, 0};
    set_window(depth, line, p);
    p.out_w = line.input;
    p.x_h = x.strides[2];
    p.y_h = y.strides[2];
    volume.rows = y.dims[2] * p.out_w;
    volume.slices = {};
  } else {
    set_window(height, width, p);
    p.out_w = y.dims[4];
    p.x_h = x.strides[3];
    p.y_h = y.strides[3];
    volume.rows = y.dims[3] * p.out_w;
    volume.slices = {depth, y.dims[2], x.strides[2], static_cast<size_t>(slice_products * p.w_k),
                     y.strides[2]};
  }
  if (lines == nullptr) {
    p.columns /= attributes.groups;
    join_lines(volume.rows / p.out_w, p);
    find_by_table(p);
  }
  return volume;
}

// Products of all sums.
uint64_t work_of(const Step& step) {
  const Tensor w = step.input(1);
  return element_count(step.output(0)) * w.dims[1] * w.dims[2] * w.dims[3] * w.dims[4];
}

uint32_t groups_of(const Step& step) { return step.attributes<Conv3dAttributes>().groups; }

}  // namespace

bool takes_float_conv_3d(const Step& step) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  if (is_empty(x) || is_empty(w) || is_empty(y)) return false;
  const uint32_t groups = groups_of(step);
  if (!takes_filters(x, w, y, groups)) return false;
  const uint32_t parts = x.dims[0] * (is_depthwise(w, groups) ? 1 : groups) * y.dims[2];
  return takes_bias(step) && gains(work_of(step) / parts);
}

ScratchNeed float_conv_3d_scratch(const Step& step) {
  const Volume volume = volume_of(step, nullptr);
  const auto need = scratch_of(volume.p, volume.rows, work_of(step));
  return with_widened(need, step.input(1), groups_of(step));
}

Status run_float_conv_3d(const Step& step, const Platform& platform, const FloatKernel& kernel) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  const bool adds = w.dims[2] != 1;
  const auto add_lines = add_of_lines(kernel, step, groups_of(step), adds);
  const uint32_t groups = add_lines != nullptr ? 1 : groups_of(step);
  Volume volume = volume_of(step, add_lines != nullptr ? &kernel : nullptr);
  FloatProducts& p = volume.p;
  set_end(step.attributes<Conv3dAttributes>().activation, p);
  const uint32_t parts = x.dims[0] * groups * volume.slices.count;
  VolumeWork work(step, kernel, p, volume.rows, parts, platform);
  if (add_lines != nullptr) {
    work.cut_into_lines();
    work.add = add_lines;
  }
  work.slices = volume.slices;
  work.groups = groups;
  work.x_n = x.strides[0];
  work.x_g = size_t{p.channels} * x.strides[1];
  work.w_g = size_t{p.columns} * w.strides[0];
  work.y_n = y.strides[0];
  work.y_g = size_t{p.columns} * y.strides[1];
  split(platform, work.items(), work_of(step), volume_ranges, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

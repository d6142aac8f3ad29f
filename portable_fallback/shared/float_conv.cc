// Describes convolutions to a kernel of float products: windows over the places of a line, groups
// one after another, or all at once where each has one channel.
#include "portable_fallback/shared/float_conv.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/window.h"
#include "portable_fallback/shared/float_work.h"
#include "portable_fallback/shared/join_lines.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct ConvWork : FloatWork {
  using FloatWork::FloatWork;
  size_t x_n = 0, x_g = 0, w_g = 0, y_n = 0, y_g = 0;  // elements between images and groups
  uint32_t groups = 1;
  decltype(FloatKernel::add) add = kernel.add;
};

void conv_ranges(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const ConvWork*>(argument);
  for (uint32_t item = first; item < last; ++item) {
    FloatProducts p = work.products_of(thread);
    const uint32_t part = work.part_of(item);
    const uint32_t n = part / work.groups;
    const uint32_t g = part % work.groups;
    p.x += n * work.x_n + g * work.x_g;
    move_weights(p, g * work.w_g);
    p.y += n * work.y_n + g * work.y_g;
    if (p.residual != nullptr) p.residual += n * work.y_n + g * work.y_g;
    if (p.bias != nullptr) p.bias += size_t{g} * p.columns;
    work.add(p, work.range_of(item));
  }
}

// Whether the strides of w's inner dims are those of one dim.
bool has_even_taps(const Tensor& w) {
  return (w.dims[3] == 1 || w.strides[3] == w.dims[1] * w.strides[1]) &&
         (w.dims[2] == 1 || w.strides[2] == w.dims[3] * w.dims[1] * w.strides[1]);
}

// Whether each group has one channel and one column.
bool is_depthwise(const Tensor& w, uint32_t groups) {
  return w.dims[1] == 1 && w.dims[0] == groups && groups != 1;
}
// Elements between its taps.
size_t tap_stride(const Tensor& w) { return w.dims[3] == 1 ? w.strides[2] : w.strides[3]; }

// Images by groups; depthwise ones are a single one.
uint32_t parts_of(const Step& step) {
  const uint32_t groups = step.attributes<ConvAttributes>().groups;
  return step.input(0).dims[0] * (is_depthwise(step.input(1), groups) ? 1 : groups);
}

// Products of all sums.
uint64_t work_of(const Step& step) {
  const Tensor w = step.input(1);
  return element_count(step.output(0)) * w.dims[1] * w.dims[2] * w.dims[3];
}

}  // namespace

FloatProducts float_conv_products(const Step& step) {
  const auto attributes = step.attributes<ConvAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  const Window height = conv_window(attributes, x, w, 0);
  const Window width = conv_window(attributes, x, w, 1);
  FloatProducts p = {};
  p.x = floats(x);
  p.x_c = x.strides[1];
  p.x_h = x.strides[2];
  p.x_w = x.strides[3];
  set_weights(w, w.strides[0], w.strides[1], uint64_t{w.dims[1]} * w.dims[2] * w.dims[3], p);
  if (step.has_input(2)) p.bias = floats(step.input(2));
  p.y = floats(y);
  p.y_c = y.strides[1];
  p.y_h = y.strides[2];
  p.y_w = y.strides[3];
  p.in_h = height.input;
  p.in_w = width.input;
  p.out_w = y.dims[3];
  p.kernel_h = height.kernel;
  p.kernel_w = width.kernel;
  p.stride_h = height.stride;
  p.stride_w = width.stride;
  p.dilation_h = height.dilation;
  p.dilation_w = width.dilation;
  p.pad_h = height.pad_begin;
  p.pad_w = width.pad_begin;
  p.channels = w.dims[1];
  const bool depthwise = is_depthwise(w, attributes.groups);
  if (depthwise) p.w_k = tap_stride(w);
  p.columns = y.dims[1] / (depthwise ? 1 : attributes.groups);
  if (!depthwise) {
    join_lines(y.dims[2], p);
    find_by_table(p);
  }
  return p;
}

bool takes_float_conv(const Step& step) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  if (is_empty(x) || is_empty(w)) return false;
  const uint32_t groups = step.attributes<ConvAttributes>().groups;
  if (is_depthwise(w, groups)) {
    const bool even = w.dims[2] == 1 || w.strides[2] == w.dims[3] * tap_stride(w);
    if (w.strides[0] != 1 || x.strides[1] != 1 || step.output(0).strides[1] != 1 || !even) {
      return false;
    }
  } else if (w.layout() == Layout::kPanel16 ? groups != 1 : !has_even_taps(w)) {
    return false;
  }
  return takes_bias(step) && gains(work_of(step) / parts_of(step));
}

ScratchNeed float_conv_scratch(const Step& step) {
  if (is_depthwise(step.input(1), step.attributes<ConvAttributes>().groups)) return {};
  const OutTensor y = step.output(0);
  return scratch_of(float_conv_products(step), y.dims[2] * y.dims[3], work_of(step));
}

Status run_float_conv(const Step& step, const Platform& platform, const FloatKernel& kernel) {
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<ConvAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const bool depthwise = is_depthwise(w, attributes.groups);
  const uint32_t groups = depthwise ? 1 : attributes.groups;
  FloatProducts p = float_conv_products(step);
  p.residual = residual_of(step, platform);
  set_end(attributes.activation, p);
  ConvWork work(step, kernel, p, y.dims[2] * y.dims[3], parts_of(step), platform);
  if (depthwise) {
    work.cut_into_lines();
    work.add = p.columns < kernel.lanes ? kernel.add_narrow_depthwise : kernel.add_depthwise;
  }
  work.groups = groups;
  work.x_n = x.strides[0];
  work.x_g = size_t{p.channels} * x.strides[1];
  work.w_g = size_t{p.columns} * w.strides[0];
  work.y_n = y.strides[0];
  work.y_g = size_t{p.columns} * y.strides[1];
  split(platform, work.items(), work_of(step), conv_ranges, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

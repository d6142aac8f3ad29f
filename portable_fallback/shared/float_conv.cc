// Describes convolutions to a kernel of float products: windows over the places of a line, groups
// one after another, or all at once where each has one channel.
#include "portable_fallback/shared/float_conv.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/window.h"
#include "portable_fallback/shared/float_work.h"
#include "portable_fallback/shared/join_lines.h"
#include "portable_fallback/shared/split.h"
#include "portable_fallback/shared/widen_weights.h"

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

// Those of a group, its lines apart; of all channels where each has a group.
FloatProducts products_of_lines(const Step& step) {
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
  set_weights(w, w.strides[0], product_stride(w), uint64_t{w.dims[1]} * w.dims[2] * w.dims[3], p);
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
  p.columns = y.dims[1] / (is_depthwise(w, attributes.groups) ? 1 : attributes.groups);
  p.columns_of_channel = columns_of_channel(w, attributes.groups);
  return p;
}

}  // namespace

size_t product_stride(const Tensor& w) {
  if (w.dims[1] != 1) return w.strides[1];
  uint32_t d = w.rank() - 1;
  while (d > 2 && w.dims[d] == 1) --d;
  return w.strides[d];
}

bool takes_filters(const Tensor& x, const Tensor& w, const OutTensor& y, uint32_t groups) {
  if (w.layout() == Layout::kPanel16) return groups == 1;
  size_t stride = product_stride(w) * w.dims[1];
  for (uint32_t d = w.rank(); d-- > 2; stride *= w.dims[d]) {
    if (w.dims[d] != 1 && w.strides[d] != stride) return false;
  }
  if (widened_bytes(w, groups) > UINT32_MAX) return false;
  return !is_depthwise(w, groups) || (w.strides[0] == 1 && x.strides[1] == 1 && y.strides[1] == 1);
}

decltype(FloatKernel::add) add_of_lines(const FloatKernel& kernel, const Step& step,
                                        uint32_t groups, bool adds) {
  const Tensor w = step.input(1);
  const uint32_t columns = w.dims[0];
  if (is_depthwise(w, groups)) {
    return columns < kernel.lanes ? kernel.add_narrow_depthwise : kernel.add_depthwise;
  }
  const bool small = w.dims[1] != 1 && w.dims[1] <= kernel.group_channels;
  const bool side_by_side = w.layout() == Layout::kStrided && w.strides[0] == 1 &&
                            step.input(0).strides[1] == 1 && step.output(0).strides[1] == 1;
  // Channels that fill no vector are computed twice: they would be added twice to what lies in
  // their place.
  const bool whole = columns % kernel.lanes == 0 || (columns > kernel.lanes && !adds);
  const bool shared = columns_of_channel(w, groups) != 0 && groups >= kernel.lanes;
  const bool by_lines = reads_by_lines(w, groups) && side_by_side;
  return by_lines && ((small && whole) || shared) ? kernel.add_groups : nullptr;
}

FloatProducts float_conv_products(const Step& step) {
  FloatProducts p = products_of_lines(step);
  if (!is_depthwise(step.input(1), step.attributes<ConvAttributes>().groups)) {
    join_lines(step.output(0).dims[2], p);
    find_by_table(p);
  }
  return p;
}

bool takes_float_conv(const Step& step) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  if (is_empty(x) || is_empty(w)) return false;
  const uint32_t groups = step.attributes<ConvAttributes>().groups;
  if (!takes_filters(x, w, step.output(0), groups)) return false;
  return takes_bias(step) && gains(work_of(step) / parts_of(step));
}

ScratchNeed float_conv_scratch(const Step& step) {
  const OutTensor y = step.output(0);
  const auto need = scratch_of(float_conv_products(step), y.dims[2] * y.dims[3], work_of(step));
  return with_widened(need, step.input(1), step.attributes<ConvAttributes>().groups);
}

Status run_float_conv(const Step& step, const Platform& platform, const FloatKernel& kernel) {
  const OutTensor y = step.output(0);
  if (is_empty(y)) return ok_status();
  const auto attributes = step.attributes<ConvAttributes>();
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const auto add_lines =
      add_of_lines(kernel, step, attributes.groups, step.has_input(kResidualInput));
  const uint32_t groups = add_lines != nullptr ? 1 : attributes.groups;
  FloatProducts p = add_lines != nullptr ? products_of_lines(step) : float_conv_products(step);
  if (add_lines != nullptr) widen_weights(step, kernel, p);
  p.columns = y.dims[1] / groups;
  p.residual = residual_of(step, platform);
  set_end(attributes.activation, p);
  ConvWork work(step, kernel, p, y.dims[2] * y.dims[3], x.dims[0] * groups, platform);
  if (add_lines != nullptr) {
    work.cut_into_lines();
    work.add = add_lines;
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

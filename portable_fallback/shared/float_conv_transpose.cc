// Describes a transposed convolution whose strides are its kernel's dims to a kernel of float
// products: each tap is a convolution of one tap, whose places lie a stride apart in y.
#include "portable_fallback/shared/float_conv_transpose.h"

#include "ops/attributes.h"
#include "ops/check.h"
#include "ops/window.h"
#include "portable_fallback/shared/float_work.h"
#include "portable_fallback/shared/split.h"

namespace arenite {
namespace {

struct TapWork : FloatWork {
  using FloatWork::FloatWork;
  size_t x_n = 0, y_n = 0;  // elements between images
  uint32_t kernel_w = 1, taps = 1;
  size_t w_h = 0, w_w = 0;  // elements between taps
  size_t y_h = 0, y_w = 0;  // elements between outputs of y
};

void tap_ranges(void* argument, uint32_t first, uint32_t last, uint32_t thread) {
  const auto& work = *static_cast<const TapWork*>(argument);
  for (uint32_t item = first; item < last; ++item) {
    FloatProducts p = work.products_of(thread);
    const uint32_t part = work.part_of(item);
    const uint32_t n = part / work.taps;
    const uint32_t h = part % work.taps / work.kernel_w;
    const uint32_t w = part % work.kernel_w;
    p.x += n * work.x_n;
    move_weights(p, h * work.w_h + w * work.w_w);
    p.y += n * work.y_n + h * work.y_h + w * work.y_w;
    work.kernel.add(p, work.range_of(item));
  }
}

// The products of one tap.
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
  set_weights(w, w.strides[0], w.strides[1], uint64_t{w.dims[1]} * w.dims[3] * w.dims[4], p);
  if (step.has_input(2)) p.bias = floats(step.input(2));
  p.y = floats(y);
  p.y_c = y.strides[1];
  p.y_h = size_t{attributes.stride[1]} * y.strides[3];
  p.y_w = size_t{attributes.stride[2]} * y.strides[4];
  p.in_h = x.dims[3];
  p.in_w = p.out_w = x.dims[4];
  p.kernel_h = p.kernel_w = p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = 1;
  p.channels = w.dims[1];
  p.columns = y.dims[1];
  return p;
}

uint64_t work_of(const Step& step) {
  return uint64_t{element_count(step.output(0))} * step.input(1).dims[1];
}
uint32_t parts_of(const Step& step) {
  const Tensor w = step.input(1);
  return step.input(0).dims[0] * w.dims[3] * w.dims[4];
}

}  // namespace

bool takes_float_conv_transpose(const Step& step) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  const auto attributes = step.attributes<ConvTransposeAttributes>();
  if (is_empty(x) || is_empty(w) || is_empty(y) || attributes.groups != 1) return false;
  if (x.dims[2] != 1 || w.dims[2] != 1 || y.dims[2] != 1 || attributes.pad_begin[0] != 0) {
    return false;
  }
  for (uint32_t axis = 1; axis < 3; ++axis) {
    const uint32_t kernel = w.dims[2 + axis];
    if (attributes.stride[axis] != kernel || attributes.pad_begin[axis] != 0 ||
        (kernel != 1 && attributes.dilation[axis] != 1) ||
        uint64_t{x.dims[2 + axis]} * kernel != y.dims[2 + axis]) {
      return false;
    }
  }
  return takes_bias(step) && gains(work_of(step) / parts_of(step));
}

ScratchNeed float_conv_transpose_scratch(const Step& step) {
  const Tensor x = step.input(0);
  return scratch_of(tap_products(step), x.dims[3] * x.dims[4], work_of(step));
}

Status run_float_conv_transpose(const Step& step, const Platform& platform,
                                const FloatKernel& kernel) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  const OutTensor y = step.output(0);
  FloatProducts p = tap_products(step);
  set_end(step.attributes<ConvTransposeAttributes>().activation, p);
  TapWork work(step, kernel, p, x.dims[3] * x.dims[4], parts_of(step), platform);
  work.x_n = x.strides[0];
  work.y_n = y.strides[0];
  work.kernel_w = w.dims[4];
  work.taps = w.dims[3] * w.dims[4];
  const bool panels = w.layout() == Layout::kPanel16;
  work.w_w = panels ? size_t{w.dims[1]} * kPanelWidth : w.strides[4];
  work.w_h = panels ? w.dims[4] * work.w_w : w.strides[3];
  work.y_h = y.strides[3];
  work.y_w = y.strides[4];
  split(platform, work.items(), work_of(step), tap_ranges, &work);
  return ok_status();
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

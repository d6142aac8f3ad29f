// The walk of convolutions over three spatial dims, whichever taps reach an output and
// whatever their numbers are: blocks of sixteen output channels, a row at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/step.h"
#include "ops/check.h"
#include "ops/window.h"

namespace arenite {

// One row of one block of output channels.
struct VolumeItem {
  uint32_t n, o, c;  // image, first output channel, first input channel
  uint32_t od, oh;
  uint32_t count;  // of output channels
};

struct VolumeShape {
  VolumeShape(const Step& step, uint32_t groups);

  // Sets the strides of weights that are read as rows of their outputs, in the order of taps.
  void read_rows();

  uint32_t items() const { return y.dims[0] * loop_groups * blocks * y.dims[2] * y.dims[3]; }
  // Items: image, group, block of output channels, output slice, output row, the last fastest, so
  // that a block's weights are used for all rows while they are near.
  VolumeItem item(uint32_t index) const;
  // Elements from the start of each operand to an item's.
  size_t x_offset(const VolumeItem& at) const {
    return size_t{at.n} * x.strides[0] + size_t{at.c} * x.strides[1];
  }
  size_t w_offset(const VolumeItem& at) const;
  size_t y_offset(const VolumeItem& at) const {
    return size_t{at.n} * y.strides[0] + size_t{at.o} * y.strides[1] +
           size_t{at.od} * y.strides[2] + size_t{at.oh} * y.strides[3];
  }

  Tensor x, w;
  OutTensor y;
  bool depthwise;          // one input and one output channel per group: blocks span groups
  uint32_t loop_groups;    // groups looped over: 1 when depthwise
  uint32_t group_outputs;  // output channels of such a group
  uint32_t blocks;         // of 16 output channels in such a group
  size_t w_o, w_i, w_k[3];
};

// `Axis`: a window along one axis, with kernel, taps(output) as ReachingTaps, tap_step, input_step.
template <typename Axis>
struct VolumeGeometry : VolumeShape {
  // `along`: depth, height, width.
  VolumeGeometry(const Step& step, uint32_t groups, const Axis (&along)[3])
      : VolumeShape(step, groups), axes{along[0], along[1], along[2]} {
    // Nothing to add up; the other dims of what is empty may be any number.
    if (is_empty(x) || is_empty(w)) axes[0].kernel = 0;
  }

  // Calls tap(x, w) with the offsets of each tap that reaches an output position, in order.
  template <typename F>
  void for_taps(const ReachingTaps (&taps)[3], F tap) const {
    const auto x_at = [&](uint32_t axis, uint32_t i) {
      return size_t{taps[axis].position - i * axes[axis].input_step} * x.strides[2 + axis];
    };
    const auto w_at = [&](uint32_t axis, uint32_t i) {
      return size_t{taps[axis].first + i * axes[axis].tap_step} * w_k[axis];
    };
    for (uint32_t d = 0; d < taps[0].count; ++d) {
      for (uint32_t h = 0; h < taps[1].count; ++h) {
        const size_t x_row = x_at(0, d) + x_at(1, h);
        const size_t w_row = w_at(0, d) + w_at(1, h);
        for (uint32_t v = 0; v < taps[2].count; ++v) tap(x_row + x_at(2, v), w_row + w_at(2, v));
      }
    }
  }

  Axis axes[3];
};

using TransposedGeometry = VolumeGeometry<TransposedWindow>;

// The geometry by attributes of conv_transpose, or of an operator with fields of those names.
template <typename Attributes>
TransposedGeometry transposed_geometry(const Step& step, const Attributes& a) {
  const Tensor x = step.input(0);
  const Tensor w = step.input(1);
  return {step,
          a.groups,
          {transposed_window(a, x, w, 0), transposed_window(a, x, w, 1),
           transposed_window(a, x, w, 2)}};
}
// About how many products that takes.
uint64_t transposed_work(const TransposedGeometry& geometry);

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

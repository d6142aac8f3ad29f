// The walk of convolutions over their operands: blocks of sixteen output channels, a row at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/step.h"
#include "ops/window.h"

namespace arenite {

// The taps of one output position that lie inside the input.
struct ConvTaps {
  Taps h, w;
  int32_t top, left;  // position of tap (0, 0)
};

// One row of one block of output channels.
struct ConvItem {
  uint32_t n, g, b, oh;
  uint32_t o, c;   // first output channel and first input channel
  uint32_t count;  // of output channels
};

struct ConvGeometry {
  // `serial`: in an order in which what reads a row of the input is done with it early.
  ConvGeometry(const Step& step, uint32_t groups, const Window& height_of, const Window& width_of,
               bool serial);

  // Sets the strides of weights that are read as rows of their outputs, in the order of taps.
  void read_rows();

  uint32_t items() const { return y.dims[0] * loop_groups * blocks * y.dims[2]; }
  uint64_t work() const;
  // Items: image, group, block of output channels, output row, the last fastest, so that a block's
  // weights are used for all rows while they are near. Or, with rows_first, blocks fastest, so that
  // all that reads a row of the input is done with it early.
  ConvItem item(uint32_t index) const;
  // Elements from the start of each operand to an item's.
  size_t x_offset(const ConvItem& at) const {
    return size_t{at.n} * x.strides[0] + size_t{at.c} * x.strides[1];
  }
  size_t w_offset(const ConvItem& at) const;
  size_t y_offset(const ConvItem& at) const {
    return size_t{at.n} * y.strides[0] + size_t{at.o} * y.strides[1] + size_t{at.oh} * y.strides[2];
  }
  // The safe distance of input 0: each output position reads its window, then writes its channels.
  uint64_t safe_distance() const;
  // That of an input of y's dims: sixteen channels of an output position are read, then written.
  uint64_t residual_distance(const Tensor& r) const;

  Tensor x, w;
  OutTensor y;
  Window height, width;
  bool depthwise;          // one input and one output channel per group: blocks span groups
  uint32_t loop_groups;    // groups looped over: 1 when depthwise
  uint32_t group_outputs;  // output channels of such a group
  uint32_t blocks;         // of 16 output channels in such a group
  size_t w_o, w_i, w_h, w_w;
  bool rows_first;  // the order of items
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

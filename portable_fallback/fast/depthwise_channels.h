// Tells kernels which channels sixteen columns of a depthwise convolution read.
#pragma once

#include "portable_fallback/fast/integer_dots.h"

namespace arenite {
// Each kernel's file has its own: one that two files shared would be compiled for the machine of
// one of them.
namespace {

struct DepthwiseChannels {
  // Of `columns` columns, `column` and the next, of which `columns_of_channel` each read the same
  // channel.
  DepthwiseChannels(uint32_t columns_of_channel, uint32_t column, uint32_t columns)
      : first(column / columns_of_channel), count(0) {
    uint32_t before = column - first * columns_of_channel;
    uint32_t channel = 0;
    for (uint32_t c = 0; c < kDotLanes; ++c) {
      const bool is_there = c < columns;
      behind[c] = static_cast<uint8_t>(is_there ? channel : 0);
      if (is_there) count = channel + 1;
      if (++before == columns_of_channel) {
        before = 0;
        ++channel;
      }
    }
  }

  uint32_t first, count;
  // How far behind the first channel that of each column lies; 0 of columns that are not there.
  uint8_t behind[kDotLanes];
};

}  // namespace
}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

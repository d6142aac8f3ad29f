// Makes one line of an image whose places each read the pixel in their own place, where its lines
// follow each other evenly: so that tiles of places need not end with a line.
#pragma once

#include <cstdint>

namespace arenite {

// P: FloatRows or FloatProducts of `lines` lines of output. Returns whether they are one line now.
template <typename P>
bool join_lines(uint32_t lines, P& p) {
  if (p.kernel_h != 1 || p.kernel_w != 1 || p.stride_h != 1 || p.stride_w != 1 || p.pad_h != 0 ||
      p.pad_w != 0 || p.in_h != lines || p.in_w != p.out_w || p.x_h != p.out_w * p.x_w ||
      p.y_h != p.out_w * p.y_w) {
    return false;
  }
  p.in_w = p.out_w = lines * p.out_w;
  p.in_h = 1;
  return true;
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

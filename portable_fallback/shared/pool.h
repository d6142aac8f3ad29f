// The walk of family pool: windows of up to sixteen channels, output by output.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/attributes.h"
#include "ops/window.h"
#include "portable_fallback/shared/block.h"

namespace arenite {

struct Pool {
  Pool(const Step& step, bool serial);

  Tensor x;
  OutTensor y;
  PoolAttributes attributes;
  Window windows[3];
  uint32_t blocks;  // of 16 channels
  uint32_t items;
  uint64_t work;    // about as many taps as there are in all
  bool rows_first;  // the order of items
};

// One row of up to 16 channels.
struct PoolItem {
  uint32_t n, c, od, oh;
  uint32_t count;  // of channels
};

// Items: image, block of channels, output slice, output row, the last fastest. Or, with rows_first,
// blocks fastest, so that a row of the input is done with early.
PoolItem item_of(const Pool& pool, uint32_t item);

// The safe distance of x.
uint64_t pool_distance(const Step& step, uint32_t input);

// One output position of up to 16 channels.
struct PoolWindow {
  uint32_t count;  // channels
  size_t x, y;     // elements from the tensors' starts to the first channel
  Taps taps[3];    // inside the input
  int32_t start[3];
  uint32_t index[2];  // image, first channel
};

// Calls window(const PoolWindow&) for each output position of items [first, last).
template <typename F>
void for_windows(const Pool& pool, uint32_t first, uint32_t last, F window) {
  const uint32_t* dims = pool.y.dims;
  const uint32_t* x_strides = pool.x.strides;
  const uint32_t* y_strides = pool.y.strides;
  for (uint32_t item = first; item < last; ++item) {
    const auto [n, c, od, oh, count] = item_of(pool, item);
    PoolWindow at;
    at.count = count;
    at.index[0] = n;
    at.index[1] = c;
    at.x = size_t{n} * x_strides[0] + size_t{c} * x_strides[1];
    at.y = size_t{n} * y_strides[0] + size_t{c} * y_strides[1] + size_t{od} * y_strides[2] +
           size_t{oh} * y_strides[3];
    const uint32_t outer[2] = {od, oh};
    for (uint32_t axis = 0; axis < 2; ++axis) {
      at.start[axis] = pool.windows[axis].start(outer[axis]);
      at.taps[axis] = pool.windows[axis].taps(outer[axis]);
    }
    for (uint32_t ow = 0; ow < dims[4]; ++ow, at.y += y_strides[4]) {
      at.start[2] = pool.windows[2].start(ow);
      at.taps[2] = pool.windows[2].taps(ow);
      window(at);
    }
  }
}

// Calls tap(offset, d, h, w) for each tap inside the input, in order: `offset` is the element of
// the first channel, d, h, w its position.
template <typename F>
void for_taps(const Pool& pool, const PoolWindow& at, F tap) {
  const auto position = [&](uint32_t axis, uint32_t t) {
    return static_cast<uint32_t>(at.start[axis] +
                                 static_cast<int32_t>(t * pool.windows[axis].dilation));
  };
  for (uint32_t i = at.taps[0].begin; i < at.taps[0].end; ++i) {
    const uint32_t d = position(0, i);
    for (uint32_t j = at.taps[1].begin; j < at.taps[1].end; ++j) {
      const uint32_t h = position(1, j);
      for (uint32_t k = at.taps[2].begin; k < at.taps[2].end; ++k) {
        const uint32_t w = position(2, k);
        tap(at.x + size_t{d} * pool.x.strides[2] + size_t{h} * pool.x.strides[3] +
                size_t{w} * pool.x.strides[4],
            d, h, w);
      }
    }
  }
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

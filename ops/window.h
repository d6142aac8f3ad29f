// Finds the taps of a sliding window that lie inside the input, by arithmetic instead of trying
// each.
#pragma once

#include <cstdint>

#include "ops/attributes.h"
#include "ops/check.h"

namespace arenite {

struct Taps {
  uint32_t begin, end;
};

// One axis of a window. All products and sums fit int32 (window_fits).
struct Window {
  uint32_t input, kernel, stride, dilation, pad_begin;

  // Position of tap 0 for an output; negative in the padding.
  int32_t start(uint32_t output) const {
    return static_cast<int32_t>(output * stride) - static_cast<int32_t>(pad_begin);
  }
  // The position of a tap that lies inside the input.
  int64_t position(uint32_t output, uint32_t tap) const {
    return int64_t{start(output)} + static_cast<int32_t>(tap * dilation);
  }
  // The taps t whose position start + t * dilation lies in [low, high).
  Taps taps_within(int32_t start, int32_t low, int32_t high) const {
    if (start >= low && start + last_offset() < high) return {0, kernel};
    const uint32_t begin = start < low ? steps_up(static_cast<uint32_t>(low - start)) : 0;
    uint32_t end = start < high ? steps_up(static_cast<uint32_t>(high - start)) : 0;
    end = end < kernel ? end : kernel;
    return {begin < end ? begin : end, end};
  }
  Taps taps(uint32_t output) const {
    return taps_within(start(output), 0, static_cast<int32_t>(input));
  }

 private:
  int32_t last_offset() const {
    return kernel == 0 ? 0 : static_cast<int32_t>((kernel - 1) * dilation);
  }
  uint32_t steps_up(uint32_t distance) const { return (distance + dilation - 1) / dilation; }
};

// The outputs of a window of stride 1 that lie its dilation apart, from one of the first on: those
// of a window without dilation, over the positions of the input that lie as far apart.
struct WindowPhase {
  uint32_t first;  // of these positions
  Window window;
};

inline WindowPhase window_phase(const Window& of, uint32_t phase) {
  const uint32_t dilation = of.dilation;
  const uint32_t left = phase < of.pad_begin ? of.pad_begin - phase : 0;  // of the input
  const uint32_t pad = (left + dilation - 1) / dilation;
  const uint32_t first = phase + pad * dilation - of.pad_begin;
  const uint32_t input = first < of.input ? (of.input - first - 1) / dilation + 1 : 0;
  return {first, {input, of.kernel, 1, 1, pad}};
}

// The taps of a window that reach an output, and the inputs that they take: tap first + i *
// tap_step takes input position - i * input_step, i < count.
struct ReachingTaps {
  uint32_t first, count;
  uint32_t position;
};

// The taps that reach the outputs of a transposed convolution that lie its stride apart: tap
// first + i * tap_step takes input position - i * input_step of the first of these outputs, and one
// more of each further one; inside the input or beside it, i < count.
struct PhaseTaps {
  uint32_t first, count;
  int32_t position;
};

// One axis of a transposed convolution. All products and sums fit int32 (transposed_fits).
struct TransposedWindow {
  uint32_t input, kernel, stride, dilation, pad_begin;
  uint32_t tap_step, input_step;  // between neighboring taps that reach an output

  TransposedWindow() = default;
  TransposedWindow(uint32_t input_size, uint32_t kernel_size, uint32_t stride_of,
                   uint32_t dilation_of, uint32_t pad)
      : input(input_size),
        kernel(kernel_size),
        stride(stride_of),
        dilation(dilation_of),
        pad_begin(pad) {
    uint32_t a = stride;
    uint32_t b = dilation;
    while (b != 0) {
      const uint32_t rest = a % b;
      a = b;
      b = rest;
    }
    tap_step = a == 0 ? 1 : stride / a;
    input_step = a == 0 ? 1 : dilation / a;
  }

  // Describes the outputs from `phase` on, which is less than the stride.
  PhaseTaps phase_taps(uint32_t phase) const {
    const auto at = static_cast<int32_t>(phase + pad_begin);
    const auto apart = static_cast<int32_t>(stride);
    for (uint32_t t = 0; t < tap_step && t < kernel; ++t) {
      const int32_t from = at - static_cast<int32_t>(t * dilation);
      if (from % apart == 0) return {t, (kernel - t - 1) / tap_step + 1, from / apart};
    }
    return {0, 0, 0};
  }

  ReachingTaps taps(uint32_t output) const {
    const uint32_t at = output + pad_begin;
    for (uint32_t t = 0; t < tap_step && t < kernel && t * dilation <= at; ++t) {
      if ((at - t * dilation) % stride != 0) continue;
      uint32_t tap = t;
      uint32_t position = (at - t * dilation) / stride;
      if (position >= input) {
        const uint32_t steps = (position - input) / input_step + 1;
        const uint64_t from = uint64_t{tap} + uint64_t{steps} * tap_step;
        if (from >= kernel || uint64_t{steps} * input_step > position) break;
        tap = static_cast<uint32_t>(from);
        position -= steps * input_step;
      }
      const uint32_t by_kernel = (kernel - tap - 1) / tap_step + 1;
      const uint32_t by_input = position / input_step + 1;
      return {tap, by_kernel < by_input ? by_kernel : by_input, position};
    }
    return {0, 0, 0};
  }
};

// Refuses one whose positions could leave int32 for some output below `outputs`.
inline bool transposed_fits(const TransposedWindow& window, uint32_t outputs) {
  return window.stride >= 1 && window.dilation >= 1 && window.stride < kMaxPosition &&
         window.input < kMaxPosition && window.pad_begin < kMaxPosition && outputs < kMaxPosition &&
         uint64_t{window.kernel} * window.dilation < kMaxPosition;
}

// Refuses a window whose positions could leave int32 for some output below `outputs`.
inline bool window_fits(const Window& window, uint32_t outputs) {
  return window.stride >= 1 && window.dilation >= 1 && window.input < kMaxPosition &&
         window.pad_begin < kMaxPosition && uint64_t{outputs} * window.stride < kMaxPosition &&
         uint64_t{window.kernel} * window.dilation < kMaxPosition;
}

// The window of a convolution with weights w over x along a spatial axis: 0 or 1, or with
// Conv3dAttributes 0 to 2.
template <typename Attributes>
Window conv_window(const Attributes& attributes, const Tensor& x, const Tensor& w, uint32_t axis) {
  return {x.dims[2 + axis], w.dims[2 + axis], attributes.stride[axis], attributes.dilation[axis],
          attributes.pad_begin[axis]};
}

// The window of a depthwise convolution with taps [KH, KW, O] over what has x's image, along axis 0
// or 1.
template <typename Attributes>
Window taps_window(const Attributes& attributes, const Tensor& x, const Tensor& taps,
                   uint32_t axis) {
  return {x.dims[2 + axis], taps.dims[axis], attributes.stride[axis], attributes.dilation[axis],
          attributes.pad_begin[axis]};
}

// The window of a transposed convolution with weights w over x, along spatial axis 0 to 2.
template <typename Attributes>
TransposedWindow transposed_window(const Attributes& attributes, const Tensor& x, const Tensor& w,
                                   uint32_t axis) {
  return {x.dims[2 + axis], w.dims[2 + axis], attributes.stride[axis], attributes.dilation[axis],
          attributes.pad_begin[axis]};
}

// The window of a pool over x, along spatial axis 0 to 2.
template <typename Attributes>
Window pool_window(const Attributes& attributes, const Tensor& x, uint32_t axis) {
  return {x.dims[2 + axis], attributes.kernel[axis], attributes.stride[axis],
          attributes.dilation[axis], attributes.pad_begin[axis]};
}

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

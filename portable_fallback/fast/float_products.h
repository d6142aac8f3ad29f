// What kernels of float products are given: sums of x times w over the taps and channels of a
// window, as plain pointers and numbers. A matrix product is one with a window of one tap.
//
// A row of the result is a place of the output, of out_w in a line; a column is an output channel.
// Products are numbered by k = tap * channels + channel, and each sum adds them in that order,
// whatever the blocks: so its bits do not depend on the range that a kernel is given. A tap outside
// of x adds nothing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arenite {

inline constexpr uint32_t kProductColumns = 16;  // that a panel of weights holds side by side
inline constexpr uint32_t kProductDepth = 256;   // products that are added at once, at most
inline constexpr uint32_t kTableTaps = 64;   // at most, that a table finds: 7 * 7 of first layers
inline constexpr uint32_t kCopiedRows = 14;  // of x that are copied at once, at most
inline constexpr uint32_t kCopiedColumns = 32;  // of w that are copied at once, at least

enum class WeightType : uint8_t { kFloat32, kFloat16, kBfloat16 };

// Returns a pointer to the weights that lie some elements further.
inline const void* weights_at(const void* w, WeightType type, size_t elements) {
  const size_t bytes = type == WeightType::kFloat32 ? sizeof(float) : sizeof(uint16_t);
  return static_cast<const std::byte*>(w) + elements * bytes;
}

// The columns of w that are copied at once, of sums of `depth` products, at most kProductDepth:
// whole panels, as many as kCopiedWeights has room for where weights of 16 bits are copied anyway.
inline constexpr uint32_t kCopiedWeights = kCopiedColumns * kProductDepth;
constexpr uint32_t copied_columns(WeightType type, uint32_t depth) {
  if (type == WeightType::kFloat32) return kCopiedColumns;
  return kCopiedWeights / kProductColumns / depth * kProductColumns;
}

// What each sum s is stored as. NaN stays NaN.
enum class FloatEnd : uint8_t {
  kSum,
  kClip,         // min(max(s, a), b)
  kHardSigmoid,  // max(0, min(1, a * s + b))
  kSigmoid,      // 1 / (1 + e^-s)
  kHardSwish,    // s * max(0, min(1, a * s + b))
  kSwish,        // s / (1 + e^(-a * s))
};

struct FloatProducts {
  const float* x;     // [in_h, in_w, channels], with the strides below
  const void* w;      // [columns, k] of w_type
  const float* bias;  // [columns], or null
  // [out_h, out_w, columns], with the strides of y, or null: numbers that sums start at beside the
  // bias. Their place may be that of y.
  const float* residual;
  float* y;  // [out_h, out_w, columns]; no other byte of it is one of the others'
  // Memory of the thread's own: [kCopiedRows][kProductDepth] and [kCopiedColumns][kProductDepth],
  // less where there are fewer rows, products or columns. A kernel copies rows of x where
  // x_copy is not null: x_c must be 1 elsewhere. It copies weights that are not float32, or that no
  // 16 columns side by side hold.
  float* x_copy;
  float* w_copy;
  // Strides in elements.
  size_t x_h, x_w, x_c;
  size_t w_panel;  // between kProductColumns columns
  size_t w_n;      // between columns of a panel
  size_t w_k;
  size_t y_h, y_w, y_c;
  WeightType w_type;
  // A table finds the taps, at most kTableTaps of kProductDepth products, whatever x_c is. x_copy
  // is null.
  bool by_table;
  bool padded;  // all columns of a panel are there; beyond `columns` they are any numbers
  uint32_t in_h, in_w, out_w;
  uint32_t kernel_h, kernel_w;
  uint32_t stride_h, stride_w;
  uint32_t dilation_h, dilation_w;
  uint32_t pad_h, pad_w;  // above and to the left
  uint32_t channels;
  uint32_t columns;
  // The neighboring columns that read the same channel, where each reads one alone; else 0.
  uint32_t columns_of_channel;
  FloatEnd end;
  float a, b;
};

// Places [row, row_end) by columns [column, column_end); `column` is a multiple of kProductColumns.
struct FloatRange {
  uint32_t row, row_end;
  uint32_t column, column_end;
};

}  // namespace arenite
// SPDX-License-Identifier: Apache-2.0

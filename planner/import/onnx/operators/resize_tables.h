// Tables of a resize: the inputs of each output and their weights. Every rule for coordinates and
// neighbors becomes tables that one operator walks (Op::kResize).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ops/attributes.h"

namespace arenite::planner {

enum class ResizeKind : uint8_t { kNearest, kLinear, kCubic };

// Rules that map the place of an output to a place of the input, by ONNX's names.
enum class Coordinates : uint8_t {
  kHalfPixel,
  kHalfPixelSymmetric,
  kPytorchHalfPixel,
  kAlignCorners,
  kAsymmetric,
  kTfHalfPixelForNn,
  kTfCropAndResize,
};

enum class NearestRule : uint8_t {
  kRoundPreferFloor,
  kRoundPreferCeil,
  kFloor,
  kCeil,
  kSimple,  // of opset 10: ceil where the axis shrinks, else floor
};

struct ResizeRule {
  ResizeKind kind = ResizeKind::kNearest;
  Coordinates coordinates = Coordinates::kHalfPixel;
  NearestRule nearest = NearestRule::kRoundPreferFloor;
  double cubic_a = -0.75;
  bool antialias = false;
  bool exclude_outside = false;
  // Coordinates are o * (input / output), as TFLite rounds them, not o / (output / input).
  bool by_step = false;
};

struct ResizedSize {
  uint32_t input, output;
  float scale;               // output / input, or what the model says
  float roi_begin, roi_end;  // of kTfCropAndResize, in shares of the input
};

// One axis: output o is the sum of weights[o * taps + t] * x[first[o] + t], or lies outside x if
// first[o] is -1. For the nearest neighbor all weights are 1.
struct ResizeTable {
  uint32_t taps = 1;
  std::vector<int32_t> first;
  std::vector<double> weights;
};
ResizeTable resize_table(const ResizeRule& rule, const ResizedSize& size);

// A step of Op::kResize: which of the axes, in the order of its attributes and tables.
struct ResizeStep {
  ResizeAttributes attributes{};
  std::vector<size_t> axes;  // places in the list of axes
  std::vector<int32_t> firsts;
  std::vector<double> weights;  // empty: single taps
};

struct ResizedAxis {
  uint32_t axis;
  ResizeTable table;
};

// The steps that resize along all the axes (by rising axis), one after another. Together as long as
// an output takes few taps; else axis by axis, as sums of taps are cheaper than their products, the
// one that shrinks most first.
std::vector<ResizeStep> resize_steps(const std::vector<ResizedAxis>& axes,
                                     const std::vector<uint32_t>& input_dims);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

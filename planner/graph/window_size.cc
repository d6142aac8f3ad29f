// Counts what windows over a picture read: inside of it, beyond it, and where tiles of four places
// are not full.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/contract.h"
#include "ops/attributes.h"
#include "ops/contracts.h"
#include "planner/graph/size_terms.h"

namespace arenite::planner {
namespace {

// Along one dim of a picture.
struct WindowDim {
  uint32_t in = 1, out = 1, taps = 1, stride = 1, dilation = 1, pad_begin = 0;

  // Taps of all windows that lie inside.
  double inside() const {
    double all = 0;
    for (uint32_t at = 0; at < out; ++at) {
      for (uint32_t t = 0; t < taps; ++t) {
        const int64_t place = begin_of(at) + int64_t{t} * dilation;
        if (place >= 0 && place < in) ++all;
      }
    }
    return all;
  }
  // Windows of which no tap lies beside the picture.
  double whole() const {
    double all = 0;
    for (uint32_t at = 0; at < out; ++at) {
      const int64_t begin = begin_of(at);
      if (begin >= 0 && begin + int64_t{taps - 1} * dilation < in) ++all;
    }
    return all;
  }
  // Places from the first tap to the last one of all windows.
  double covered() const {
    return (out == 0 ? 0.0 : out - 1.0) * stride + (taps - 1.0) * dilation + 1;
  }
  bool moves_by_one() const { return taps == 1 && stride == 1 && pad_begin == 0 && in == out; }

 private:
  int64_t begin_of(uint32_t at) const { return int64_t{at} * stride - pad_begin; }
};

struct Windows {
  WindowDim rows, columns;
  // Elements that each tap reads, and channels of the picture that all lines read.
  double each = 1, channels = 1;
};

uint32_t word(const StepFacts& step, size_t byte) {
  const size_t at = byte / sizeof(uint32_t);
  return at < step.attributes.size() ? step.attributes[at] : 0;
}

// Reads the windows of a convolution with two dims; the attributes of both operators begin alike.
Windows windows_of_conv(const StepFacts& step) {
  static_assert(offsetof(ConvAttributes, stride) == offsetof(QuantizedConvAttributes, stride));
  static_assert(offsetof(ConvAttributes, dilation) == offsetof(QuantizedConvAttributes, dilation));
  static_assert(offsetof(ConvAttributes, pad_begin) ==
                offsetof(QuantizedConvAttributes, pad_begin));
  const std::vector<uint32_t>& x = step.inputs[0].dims;
  const std::vector<uint32_t>& w = step.inputs[1].dims;
  Windows windows;
  const auto dim = [&](uint32_t d) {
    const size_t byte = d * sizeof(uint32_t);
    return WindowDim{x[2 + d],
                     step.output.dims[2 + d],
                     w[2 + d],
                     std::max(1u, word(step, offsetof(ConvAttributes, stride) + byte)),
                     std::max(1u, word(step, offsetof(ConvAttributes, dilation) + byte)),
                     word(step, offsetof(ConvAttributes, pad_begin) + byte)};
  };
  windows.rows = dim(0);
  windows.columns = dim(1);
  const double groups = std::max(1u, word(step, offsetof(ConvAttributes, groups)));
  windows.each = w[1] * groups;
  windows.channels = windows.each;
  return windows;
}

bool is_plain_conv(const StepFacts& step) {
  return (step.op == Op::kConv || step.op == Op::kQuantizedConv) && step.output.dims.size() == 4 &&
         step.inputs.size() > 1 && step.inputs[0].dims.size() == 4 &&
         step.inputs[1].dims.size() == 4;
}

void add_conv_terms(const StepFacts& step, StepSize& size) {
  const Windows windows = windows_of_conv(step);
  const WindowDim& rows = windows.rows;
  const WindowDim& columns = windows.columns;
  const double pictures = step.output.dims[0], results = step.output.dims[1];
  const auto taps = static_cast<double>(uint64_t{rows.taps} * columns.taps);
  const auto places = static_cast<double>(uint64_t{rows.out} * columns.out);
  const double lines = pictures * places;
  const double units_each = step.inputs[1].dims[1] * taps;
  const bool is_one_row = rows.moves_by_one() && columns.moves_by_one();
  const double width = is_one_row ? places : columns.out;
  const double all_rows = pictures * (is_one_row ? 1 : rows.out);
  const double single = all_rows * std::fmod(width, 4);
  const double read = lines * taps * windows.each;
  term(size, SizeTerm::kRow) = all_rows;
  term(size, SizeTerm::kTap) = lines * taps;
  term(size, SizeTerm::kInput) = read;
  term(size, SizeTerm::kInsideUnit) =
      pictures * rows.inside() * columns.inside() * results * step.inputs[1].dims[1];
  term(size, SizeTerm::kEdgeTap) = (lines - pictures * rows.whole() * columns.whole()) * taps;
  term(size, SizeTerm::kSingleUnit) = single * results * units_each;
  term(size, SizeTerm::kSingleResult) = single * results;
  term(size, SizeTerm::kOddUnit) = lines * std::fmod(results, 16) * units_each;
  term(size, SizeTerm::kOddResult) = lines * std::fmod(results, 4);
  if (columns.taps * step.inputs[1].dims[1] % 4 != 0) term(size, SizeTerm::kOddInput) = read;
  if (step.op == Op::kQuantizedConv &&
      word(step, offsetof(QuantizedConvAttributes, w_zero_point)) != 0) {
    term(size, SizeTerm::kOffsetInput) = read;
  }
  term(size, SizeTerm::kRowWeight) = all_rows * results * units_each;
  term(size, SizeTerm::kRowResult) = all_rows * results;
  term(size, SizeTerm::kRowInput) =
      all_rows * windows.channels * rows.taps * (is_one_row ? width : columns.covered());
  const bool is_small = rows.taps == 3 && columns.taps == 3 && columns.stride == 1;
  if (!is_small) term(size, SizeTerm::kLargeUnit) = lines * results * units_each;
}

}  // namespace

void add_window_terms(const StepFacts& step, StepSize& size) {
  const std::vector<uint32_t>& y = step.output.dims;
  const double lines = term(size, SizeTerm::kResult) / std::max<double>(y[1], 1);
  const double each = term(size, SizeTerm::kUnit) / std::max(term(size, SizeTerm::kResult), 1.0);
  term(size, SizeTerm::kLine) = lines;
  if (is_plain_conv(step)) return add_conv_terms(step, size);
  term(size, SizeTerm::kRow) = lines / std::max<double>(y.back(), 1);
  const bool has_weights = find_contract(step.op)->work == Work::kWeights;
  if (!has_weights) {
    term(size, SizeTerm::kTap) = lines * each;
    term(size, SizeTerm::kInput) = elements_in(step.inputs[0].dims);
    return;
  }
  if (step.inputs.size() < 2 || step.inputs[1].dims.size() <= 2) return;
  const std::span<const uint32_t> w = step.inputs[1].dims;
  static_assert(offsetof(ConvTransposeAttributes, groups) == 0);
  static_assert(offsetof(Conv3dAttributes, groups) == 0);
  static_assert(offsetof(QuantizedConvTransposeAttributes, groups) == 0);
  const double taps = elements_in(w.subspan(2));
  term(size, SizeTerm::kTap) = lines * taps;
  term(size, SizeTerm::kInput) = lines * taps * w[1] * std::max(1u, word(step, 0));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

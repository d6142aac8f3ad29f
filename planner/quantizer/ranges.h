// Turns statistics of a tensor's elements into the scale and zero point of its integers.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/graph/quantization.h"
#include "planner/quantizer/quantizer.h"

namespace arenite::planner::quantizer {

// The range of all elements seen. It holds 0, so that an integer stands for 0 exactly.
struct Range {
  double low = 0, high = 0;

  void include(double value) {
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  void include(const Range& other) {
    include(other.low);
    include(other.high);
  }
};

// Counts of elements in equal parts of a range.
struct Histogram {
  static constexpr uint32_t kBins = 2048;

  explicit Histogram(const Range& over) : range(over), counts(kBins, 0) {}
  void add(double value);

  Range range;
  std::vector<uint64_t> counts;
};

// The part of the histogram's range that holds `percent` of its elements; what is left out lies at
// both ends as the elements do.
Range percentile_range(const Histogram& histogram, double percent);

// The range, cut off at a magnitude, in which 255 integers tell most of the distribution; the whole
// range where too few elements were seen to tell one.
Range entropy_range(const Histogram& histogram);

// The int8 integers of a range.
Scaled scale_of(const Range& range);

}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0

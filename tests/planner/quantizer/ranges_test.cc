// Tests of ranges: what is left out, and what the integers over a range are.
#include "planner/quantizer/ranges.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace arenite::planner::quantizer {
namespace {

TEST(Scales, CoverTheRangeAndHoldZero) {
  for (const Range& range : {Range{-1, 1}, Range{0, 6}, Range{-3, 0}, Range{-0.01, 250}}) {
    const Scaled scale = scale_of(range);
    const auto step = double{scale.scale};
    EXPECT_GE(scale.zero_point, -128);
    EXPECT_LE(scale.zero_point, 127);
    EXPECT_NEAR((-128 - scale.zero_point) * step, range.low, step);
    EXPECT_NEAR((127 - scale.zero_point) * step, range.high, step);
  }
}

TEST(Scales, OfNothingAreOne) {
  EXPECT_EQ(scale_of({0, 0}).scale, 1.0f);
  EXPECT_EQ(scale_of({0, 1e-300}).scale, 1.0f);
  EXPECT_EQ(scale_of({0, 0}).zero_point, 0);
}

TEST(Ranges, AlwaysHoldZero) {
  Range range;
  range.include(3);
  range.include(5);
  EXPECT_EQ(range.low, 0);
  EXPECT_EQ(range.high, 5);
}

Histogram histogram_of(const std::vector<double>& elements) {
  Range range;
  for (const double element : elements) range.include(element);
  Histogram histogram(range);
  for (const double element : elements) histogram.add(element);
  return histogram;
}

// A bell of deviation 1, and a few elements far outside.
std::vector<double> bell_with_outliers(double outlier) {
  std::mt19937 random(1);
  std::normal_distribution<double> bell;
  std::vector<double> elements(100000);
  for (double& element : elements) element = bell(random);
  for (int i = 0; i < 5; ++i) elements.push_back(outlier);
  return elements;
}

TEST(Ranges, OfAPercentileLeaveOutTheRarest) {
  const Histogram histogram = histogram_of(bell_with_outliers(100));
  const Range range = percentile_range(histogram, 99.9);
  EXPECT_LT(range.high, 5);
  EXPECT_GT(range.high, 2.5);
  EXPECT_LT(range.low, -2.5);
  const Range all = percentile_range(histogram, 100);
  EXPECT_NEAR(all.high, 100, 0.1);
}

TEST(Ranges, OfLeastEntropyCutOffOutliers) {
  const Range range = entropy_range(histogram_of(bell_with_outliers(30)));
  EXPECT_LT(range.high, 15);
  EXPECT_GT(range.high, 2.5);
  // Nothing to gain where elements are spread evenly.
  std::vector<double> even;
  for (int i = 0; i <= 20000; ++i) even.push_back(i / 20000.0);
  EXPECT_GT(entropy_range(histogram_of(even)).high, 0.95);
}

TEST(Histograms, CountWhatLiesInTheRangeAlone) {
  Histogram histogram({-1, 1});
  for (const double element : {-1.0, 0.0, 1.0, 1.0, 2.0, -5.0, std::nan("")})
    histogram.add(element);
  uint64_t all = 0;
  for (const uint64_t count : histogram.counts) all += count;
  EXPECT_EQ(all, 5u);  // what lies above counts with the last
  EXPECT_EQ(histogram.counts.front(), 1u);
  EXPECT_EQ(histogram.counts.back(), 3u);
}

}  // namespace
}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0

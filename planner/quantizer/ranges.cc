// Ranges by percentiles and by entropy, and the integers over a range.
#include "planner/quantizer/ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace arenite::planner::quantizer {
namespace {

constexpr double kIntegers = 255;  // steps of an int8
constexpr double kLowest = -128;
// A distribution needs that many elements: with fewer, most parts of a histogram are empty, and
// losing an empty part seems to cost nothing.
constexpr double kElementsWanted = 8.0 * Histogram::kBins;

// The histogram of magnitudes, in as many parts of [0, the greatest magnitude].
std::vector<double> magnitudes(const Histogram& histogram, double most) {
  std::vector<double> counts(Histogram::kBins, 0);
  const double width = (histogram.range.high - histogram.range.low) / Histogram::kBins;
  for (uint32_t bin = 0; bin < Histogram::kBins; ++bin) {
    const double middle = histogram.range.low + (bin + 0.5) * width;
    const auto at = static_cast<uint32_t>(std::abs(middle) / most * Histogram::kBins);
    counts[std::min(at, Histogram::kBins - 1)] += static_cast<double>(histogram.counts[bin]);
  }
  // Zeros are always told exactly: however many there are, they say nothing of where to cut.
  counts[0] = counts[1];
  return counts;
}

// The loss where `levels` numbers represent `bins` of the distribution, elements beyond counted
// with the last: the divergence of the representation from the distribution.
double divergence(const std::vector<double>& counts, size_t bins, size_t levels) {
  const auto end_of_bins = counts.begin() + static_cast<std::ptrdiff_t>(bins);
  std::vector<double> kept(counts.begin(), end_of_bins), told(bins, 0);
  kept.back() += std::accumulate(end_of_bins, counts.end(), 0.0);
  for (size_t level = 0; level < levels; ++level) {
    const size_t begin = level * bins / levels;
    const size_t end = (level + 1) * bins / levels;
    double sum = 0;
    size_t used = 0;
    for (size_t i = begin; i < end; ++i) {
      sum += counts[i];
      if (kept[i] > 0) ++used;
    }
    for (size_t i = begin; i < end; ++i) {
      if (kept[i] > 0) told[i] = sum / static_cast<double>(used);
    }
  }
  const double all_kept = std::accumulate(kept.begin(), kept.end(), 0.0);
  const double all_told = std::accumulate(told.begin(), told.end(), 0.0);
  if (all_kept <= 0 || all_told <= 0) return std::numeric_limits<double>::infinity();
  constexpr double kLeast = 1e-9;  // of a share: what is not told at all
  double lost = 0;
  for (size_t i = 0; i < bins; ++i) {
    if (kept[i] <= 0) continue;
    const double share = kept[i] / all_kept;
    lost += share * std::log(share / std::max(told[i] / all_told, kLeast));
  }
  return lost;
}

}  // namespace

void Histogram::add(double value) {
  const double place = (value - range.low) / (range.high - range.low) * kBins;
  if (!(place >= 0)) return;  // NaN, or a range of nothing
  ++counts[std::min(static_cast<uint32_t>(std::min(place, double{kBins})), kBins - 1)];
}

Range percentile_range(const Histogram& histogram, double percent) {
  const uint64_t total =
      std::accumulate(histogram.counts.begin(), histogram.counts.end(), uint64_t{0});
  const double outside = static_cast<double>(total) * (100 - percent) / 100;
  const double width = (histogram.range.high - histogram.range.low) / Histogram::kBins;
  // Cuts parts off both ends, always at the one with fewer elements.
  size_t first = 0, last = Histogram::kBins;
  double gone = 0;
  while (first + 1 < last) {
    const uint64_t low = histogram.counts[first], high = histogram.counts[last - 1];
    const auto fewer = static_cast<double>(std::min(low, high));
    if (gone + fewer > outside) break;
    gone += fewer;
    if (low <= high) {
      ++first;
    } else {
      --last;
    }
  }
  Range range;
  range.include(histogram.range.low + static_cast<double>(first) * width);
  range.include(histogram.range.low + static_cast<double>(last) * width);
  return range;
}

Range entropy_range(const Histogram& histogram) {
  const double most = std::max(-histogram.range.low, histogram.range.high);
  if (most <= 0) return histogram.range;
  const std::vector<double> counts = magnitudes(histogram, most);
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  if (total < kElementsWanted) return histogram.range;
  // If numbers have both signs, half of the integers represent magnitudes.
  const bool both = histogram.range.low < 0 && histogram.range.high > 0;
  const size_t levels = both ? 128 : 256;
  size_t best = Histogram::kBins;
  double least = std::numeric_limits<double>::infinity();
  for (size_t bins = levels; bins <= Histogram::kBins; bins += 16) {
    const double lost = divergence(counts, bins, levels);
    if (lost < least) {
      least = lost;
      best = bins;
    }
  }
  const double limit = most * static_cast<double>(best) / Histogram::kBins;
  return {std::max(histogram.range.low, -limit), std::min(histogram.range.high, limit)};
}

Scaled scale_of(const Range& range) {
  const double width = range.high - range.low;
  const auto scale = static_cast<float>(width / kIntegers);
  // Nothing but zeros, or next to nothing.
  if (!(scale >= std::numeric_limits<float>::min()) || !std::isfinite(scale)) return {DType::kInt8};
  const double zero = std::round(kLowest - range.low / double{scale});
  return {DType::kInt8, scale,
          static_cast<int32_t>(std::clamp(zero, kLowest, kLowest + kIntegers))};
}

}  // namespace arenite::planner::quantizer
// SPDX-License-Identifier: Apache-2.0

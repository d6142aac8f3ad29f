// Coordinates in float32, as the runtimes compute them that models are trained and checked with:
// which neighbor is nearest depends on their rounding. Weights in double.
#include "planner/import/onnx/operators/resize_tables.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace arenite::planner {
namespace {

// The place of the input that output o stands for.
float coordinate(const ResizeRule& rule, const ResizedSize& size, uint32_t o) {
  const auto at = static_cast<float>(o);
  const auto input = static_cast<float>(size.input);
  const auto output = static_cast<float>(size.output);
  const float step = input / output;
  const auto scaled = [&](float x) { return rule.by_step ? x * step : x / size.scale; };
  switch (rule.coordinates) {
    case Coordinates::kHalfPixel:
      return scaled(at + 0.5f) - 0.5f;
    case Coordinates::kHalfPixelSymmetric: {
      // The length before it was rounded is centered on the input.
      const float adjustment = output / (size.scale * input);
      const float offset = input / 2 * (1 - adjustment);
      return offset + scaled(at + 0.5f) - 0.5f;
    }
    case Coordinates::kPytorchHalfPixel:
      return size.output > 1 ? scaled(at + 0.5f) - 0.5f : 0.0f;
    case Coordinates::kAlignCorners: {
      if (rule.by_step) return size.output > 1 ? at * ((input - 1) / (output - 1)) : 0.0f;
      // ONNX's cases have the length before it was rounded.
      const float length = size.scale * input;
      return length == 1 || size.output == 1 ? 0.0f : at * (input - 1) / (length - 1);
    }
    case Coordinates::kAsymmetric:
      return scaled(at);
    case Coordinates::kTfHalfPixelForNn:
      return scaled(at + 0.5f);
    case Coordinates::kTfCropAndResize: {
      const float span = size.roi_end - size.roi_begin;
      return size.output > 1 ? size.roi_begin * (input - 1) + at * span * (input - 1) / (output - 1)
                             : 0.5f * (size.roi_begin + size.roi_end) * (input - 1);
    }
  }
  return 0;
}

bool is_outside(const ResizeRule& rule, const ResizedSize& size, float at) {
  return rule.coordinates == Coordinates::kTfCropAndResize &&
         !(at >= 0 && at <= static_cast<float>(size.input - 1));
}

float nearest(const ResizeRule& rule, const ResizedSize& size, float at) {
  switch (rule.nearest) {
    case NearestRule::kRoundPreferFloor:
      return std::ceil(at - 0.5f);
    case NearestRule::kRoundPreferCeil:
      return std::floor(at + 0.5f);
    case NearestRule::kFloor:
      return std::floor(at);
    case NearestRule::kCeil:
      return std::ceil(at);
    case NearestRule::kSimple:
      return size.scale < 1 ? std::ceil(at) : std::floor(at);
  }
  return 0;
}

// The weight of an input at this distance.
double weight_at(const ResizeRule& rule, double distance) {
  const double x = std::abs(distance);
  if (rule.kind == ResizeKind::kLinear) return std::max(1 - x, 0.0);
  const double a = rule.cubic_a;
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((x - 5) * x + 8) * x * a - 4 * a;
  return 0;
}

// Weights of neighboring inputs from `first` on, before the borders of x are looked at.
struct Neighbors {
  int64_t first = 0;
  std::vector<double> weights;
};

Neighbors neighbors(const ResizeRule& rule, const ResizedSize& size, float place) {
  const double at = place;
  const double shrink = rule.antialias ? std::min<double>(size.scale, 1) : 1;
  const double reach = (rule.kind == ResizeKind::kLinear ? 1 : 2) / shrink;
  const auto base = static_cast<int64_t>(std::floor(at));
  const auto first = base + static_cast<int64_t>(std::floor(-reach)) + 1;
  const auto last = base + (base - first) + 1;
  Neighbors found;
  found.first = first;
  for (int64_t i = first; i <= last; ++i) {
    const bool there = !rule.exclude_outside || (i >= 0 && i < int64_t{size.input});
    found.weights.push_back(there ? weight_at(rule, (static_cast<double>(i) - at) * shrink) : 0.0);
  }
  if (rule.antialias || rule.exclude_outside) {
    const double sum = std::accumulate(found.weights.begin(), found.weights.end(), 0.0);
    for (double& weight : found.weights) weight /= sum;
  }
  return found;
}

// Moves the weights of neighbors outside x to its borders.
void clamp(Neighbors& found, int64_t input) {
  const auto count = static_cast<int64_t>(found.weights.size());
  const int64_t low = std::clamp<int64_t>(found.first, 0, input - 1);
  const int64_t high = std::clamp<int64_t>(found.first + count - 1, 0, input - 1);
  std::vector<double> inside(static_cast<size_t>(high - low + 1), 0.0);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t to = std::clamp<int64_t>(found.first + i, low, high);
    inside[static_cast<size_t>(to - low)] += found.weights[static_cast<size_t>(i)];
  }
  found = {low, std::move(inside)};
}

// Gives each output as many taps: the window moves to where it fits.
ResizeTable table_of(std::vector<Neighbors> all, const std::vector<bool>& outside, uint32_t input) {
  ResizeTable table;
  for (const Neighbors& found : all) {
    table.taps = std::max(table.taps, static_cast<uint32_t>(found.weights.size()));
  }
  table.weights.assign(all.size() * table.taps, 0.0);
  for (size_t o = 0; o < all.size(); ++o) {
    const int64_t first = std::min<int64_t>(all[o].first, int64_t{input} - table.taps);
    table.first.push_back(outside[o] ? -1 : static_cast<int32_t>(first));
    for (size_t i = 0; i < all[o].weights.size(); ++i) {
      const auto at = static_cast<size_t>(all[o].first - first) + i;
      table.weights[o * table.taps + at] = all[o].weights[i];
    }
  }
  return table;
}

constexpr uint64_t kTapsTogether = 16;

ResizeStep step_of(const std::vector<ResizedAxis>& axes, std::vector<size_t> chosen) {
  ResizeStep step;
  step.axes = std::move(chosen);
  bool weighted = false;
  for (size_t k = 0; k < step.axes.size(); ++k) {
    const ResizedAxis& axis = axes[step.axes[k]];
    const ResizeTable& table = axis.table;
    step.attributes.axis[k] = axis.axis;
    step.attributes.taps[k] = table.taps;
    step.firsts.insert(step.firsts.end(), table.first.begin(), table.first.end());
    step.weights.insert(step.weights.end(), table.weights.begin(), table.weights.end());
    weighted = weighted || table.taps > 1;
  }
  if (!weighted) step.weights.clear();
  return step;
}

}  // namespace

ResizeTable resize_table(const ResizeRule& rule, const ResizedSize& size) {
  std::vector<Neighbors> all;
  std::vector<bool> outside;
  for (uint32_t o = 0; o < size.output; ++o) {
    const float at = coordinate(rule, size, o);
    outside.push_back(is_outside(rule, size, at));
    Neighbors found;
    if (outside.back()) {
      found = {0, {1.0}};
    } else if (rule.kind == ResizeKind::kNearest) {
      const float place = nearest(rule, size, at);
      found = {static_cast<int64_t>(std::clamp(place, 0.0f, static_cast<float>(size.input - 1))),
               {1.0}};
    } else {
      found = neighbors(rule, size, at);
    }
    clamp(found, size.input);
    all.push_back(std::move(found));
  }
  return table_of(std::move(all), outside, size.input);
}

std::vector<ResizeStep> resize_steps(const std::vector<ResizedAxis>& axes,
                                     const std::vector<uint32_t>& input_dims) {
  std::vector<size_t> order(axes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  uint64_t taps = 1;
  for (const ResizedAxis& axis : axes) taps = std::min<uint64_t>(taps * axis.table.taps, 1u << 20);
  if (taps <= kTapsTogether && axes.size() <= 3) return {step_of(axes, order)};
  const auto growth = [&](size_t i) {
    return static_cast<double>(axes[i].table.first.size()) / input_dims[axes[i].axis];
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return growth(a) < growth(b); });
  std::vector<ResizeStep> steps;
  std::vector<size_t> group;
  uint64_t group_taps = 1;
  for (const size_t i : order) {
    if (!group.empty() &&
        (group.size() == 3 || group_taps * axes[i].table.taps > kTapsTogether / 4)) {
      std::sort(group.begin(), group.end());
      steps.push_back(step_of(axes, group));
      group.clear();
      group_taps = 1;
    }
    group.push_back(i);
    group_taps *= axes[i].table.taps;
  }
  std::sort(group.begin(), group.end());
  steps.push_back(step_of(axes, group));
  return steps;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

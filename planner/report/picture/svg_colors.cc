// A color for each operator, tinted in turn; in the legend those with most bytes x steps are first.
#include "planner/report/picture/svg_colors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include "planner/report/picture/operator_color.h"

namespace arenite::picture {
namespace {

// Of tensors whose operators are not known; the same as in planner/report/picture/page/color.js.
constexpr std::array<const char*, 10> kPalette = {"#7fb0e6", "#f5b26b", "#86cc8e", "#f09a97",
                                                  "#b9a3e3", "#6fcbc4", "#ebd162", "#eba3cb",
                                                  "#c9ae93", "#b7cc6b"};

// Tints of neighbors of one kind: lighter, darker, towards the next channel.
constexpr std::array<std::array<double, 3>, 5> kTints = {
    {{1, 1, 1}, {1.1, 1.1, 1.08}, {0.88, 0.9, 0.92}, {0.92, 1.03, 1.05}, {1.06, 0.95, 1}}};

// Changes a color a little, so that neighbors of one kind can be distinguished.
std::string tinted(const std::string& color, std::size_t index) {
  std::string text = "#";
  for (std::size_t i = 0; i < 3; ++i) {
    const int channel = std::stoi(color.substr(1 + 2 * i, 2), nullptr, 16);
    const long changed = std::lround(channel * kTints[index % kTints.size()][i]);
    char digits[3] = {};
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned>(std::min(changed, 255L)));
    text += digits;
  }
  return text;
}

std::string category_of(const planner::VariantReport& variant, std::size_t buffer) {
  const planner::TensorReport& tensor = variant.tensors[buffer];
  const bool computed = tensor.role == "result" || tensor.role == "output";
  if (!computed || tensor.written_by.empty()) return tensor.role;
  return variant.step_list[tensor.written_by.front()].op;
}

// Sorts the categories; those with most bytes x steps come first.
std::vector<std::string> by_weight(const std::vector<std::string>& categories,
                                   const memory::MemoryReport& report) {
  std::map<std::string, double> weights;
  for (std::size_t i = 0; i < categories.size(); ++i) {
    const memory::PlacedBuffer& buffer = report.buffers[i];
    weights[categories[i]] +=
        static_cast<double>(buffer.size_bytes) *
        static_cast<double>(uint64_t{buffer.lifetime.last} + 1 - buffer.lifetime.first);
  }
  std::vector<std::string> names;
  names.reserve(weights.size());
  for (const auto& [name, weight] : weights) names.push_back(name);
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return weights[a] > weights[b];
  });
  return names;
}

}  // namespace

Colors colors_of(const Section& section) {
  const memory::MemoryReport& report = *section.report;
  Colors colors;
  if (section.variant == nullptr) {
    for (std::size_t i = 0; i < report.buffers.size(); ++i) {
      colors.buffers.push_back(tinted(kPalette[i * 7 % kPalette.size()], i));
    }
    return colors;
  }
  std::vector<std::string> categories;
  for (std::size_t i = 0; i < report.buffers.size(); ++i) {
    categories.push_back(category_of(*section.variant, i));
  }
  for (const std::string& name : by_weight(categories, report)) {
    colors.legend.push_back({name, operator_color(name)});
  }
  for (std::size_t i = 0; i < categories.size(); ++i) {
    colors.buffers.push_back(tinted(operator_color(categories[i]), i));
  }
  for (const planner::StepReport& step : section.variant->step_list) {
    colors.steps.push_back(operator_color(step.op));
  }
  return colors;
}

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

// Gives frequent operators colors that are easily told apart, and others one by a hash of the name.
#include "planner/report/picture/operator_color.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace arenite::picture {
namespace {

struct Known {
  std::string_view name, color;
};

// An operator of integers has the color of its like of floats.
constexpr Known kKnown[] = {
    {"conv", "#7fb0e6"},       {"conv_transpose", "#5f9fd0"},
    {"matmul", "#f5b26b"},     {"attention", "#e89a8f"},
    {"max_pool", "#f09a97"},   {"average_pool", "#d9a58c"},
    {"add", "#86cc8e"},        {"sub", "#9bd3ae"},
    {"mul", "#6fcbc4"},        {"div", "#8fd0da"},
    {"softmax", "#b9a3e3"},    {"concat", "#ebd162"},
    {"copy", "#cdbf92"},       {"clip", "#eba3cb"},
    {"sum", "#b7cc6b"},        {"lookup", "#c6a7d8"},
    {"resize", "#c9ae93"},     {"layer_normalization", "#a9b8e8"},
    {"requantize", "#d8b4c8"}, {"quantize", "#e0b9a8"},
    {"dequantize", "#d2c0a0"}, {"gather", "#a8c69f"},
    {"pad", "#cfc37c"},        {"sigmoid", "#dba6dd"},
    {"input", "#c3cbd5"},      {"output", "#aebac8"},
    {"state", "#9fb4c9"},      {"scratch", "#d5c6b4"},
    {"constant", "#c8cfb6"},   {"result", "#b4bcc6"},
};

uint32_t fnv1a(std::string_view text) {
  uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

// Hue in degrees, saturation and lightness from 0 to 1.
std::string hsl(double hue, double saturation, double lightness) {
  const double width = saturation * std::min(lightness, 1 - lightness);
  const auto channel = [&](double n) {
    const double k = std::fmod(n + hue / 30, 12);
    const double value = lightness - width * std::max(-1.0, std::min({k - 3, 9 - k, 1.0}));
    return static_cast<unsigned>(std::lround(255 * value));
  };
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", channel(0), channel(8), channel(4));
  return text;
}

}  // namespace

std::string operator_color(std::string_view name) {
  constexpr std::string_view kQuantized = "quantized_";
  if (name.starts_with(kQuantized)) name.remove_prefix(kQuantized.size());
  const auto* known = std::ranges::find(kKnown, name, &Known::name);
  if (known != std::end(kKnown)) return std::string(known->color);
  const uint32_t hash = fnv1a(name);
  constexpr uint32_t kHues = 36, kLightnesses = 3;
  return hsl(hash % kHues * (360.0 / kHues), 0.45, 0.66 + 0.05 * (hash / kHues % kLightnesses));
}

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

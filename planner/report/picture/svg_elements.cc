// Formats numbers and texts; ticks lie 1, 2 or 5 times a power of 10 apart, or a power of 2.
#include "planner/report/picture/svg_elements.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "planner/report/picture/xml_text.h"

namespace arenite::picture {

std::string number(double value) {
  char text[32] = {};
  std::snprintf(text, sizeof(text), "%.2f", value);
  return text;
}

std::string text_at(Point at, const std::string& attributes, const std::string& text) {
  return "<text x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\"" +
         (attributes.empty() ? "" : " " + attributes) + ">" + xml_text(text) + "</text>\n";
}

std::string line(Point from, Point to, const std::string& kind) {
  return "<line class=\"" + kind + "\" x1=\"" + number(from.x) + "\" y1=\"" + number(from.y) +
         "\" x2=\"" + number(to.x) + "\" y2=\"" + number(to.y) + "\"/>\n";
}

std::string rectangle(const Rectangle& at, const std::string& attributes,
                      const std::string& title) {
  std::string text = "<rect x=\"" + number(at.left) + "\" y=\"" + number(at.top) + "\" width=\"" +
                     number(at.width()) + "\" height=\"" + number(at.height()) + "\" " + attributes;
  if (title.empty()) return text + "/>\n";
  return text + "><title>" + xml_text(title) + "</title></rect>\n";
}

uint64_t tick_distance(uint64_t range, double ticks, bool binary) {
  uint64_t distance = 1;
  for (int i = 0; static_cast<double>(range) / static_cast<double>(distance) > ticks; ++i) {
    if (distance > UINT64_MAX / 4) break;
    distance = binary ? distance * 2 : i % 3 == 1 ? distance / 2 * 5 : distance * 2;
  }
  return distance;
}

std::string short_bytes(uint64_t bytes) {
  constexpr std::array<const char*, 7> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1024 && unit + 1 < kUnits.size(); ++unit) size /= 1024;
  const bool whole = size == std::floor(size);
  char text[32] = {};
  std::snprintf(text, sizeof(text), "%.*f %s",
                whole || size >= 100 ? 0
                : size >= 10         ? 1
                                     : 2,
                size, kUnits[unit]);
  return text;
}

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

// The pieces of an SVG: texts, lines, rectangles, and round numbers for its axes.
#pragma once

#include <cstdint>
#include <string>

namespace arenite::picture {

struct Point {
  double x = 0, y = 0;
};

struct Rectangle {
  double left = 0, top = 0, right = 0, bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

// The letter width of the font that the SVG asks for, in pixels.
inline constexpr double kLetterWidth = 6.2;

// Pixels with two places.
std::string number(double value);

// `attributes` are written as they are; `text` is escaped.
std::string text_at(Point at, const std::string& attributes, const std::string& text);

std::string line(Point from, Point to, const std::string& kind);

// `title` is shown when the mouse is over it; not escaped yet.
std::string rectangle(const Rectangle& at, const std::string& attributes, const std::string& title);

// The smallest of 1, 2, 5, 10, 20, ... (or of powers of two) that gives at most `ticks` ticks.
uint64_t tick_distance(uint64_t range, double ticks, bool binary);

// "4.62 MiB", "512 B".
std::string short_bytes(uint64_t bytes);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

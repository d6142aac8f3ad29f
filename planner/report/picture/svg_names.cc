// Takes the best free side of a rectangle, and cuts the name to the letters that fit.
#include "planner/report/picture/svg_names.h"

#include <algorithm>
#include <iterator>

#include "planner/report/picture/xml_text.h"

namespace arenite::picture {
namespace {

constexpr double kLineHeight = 12;
constexpr double kLettersLeast = 7;  // of a longer name, fewer say nothing

}  // namespace

std::string name_svg(const Rectangle& room, const std::string& name, const std::string& details) {
  const bool upright = room.width() < 60 && room.height() > 1.5 * room.width();
  const double letters = ((upright ? room.height() : room.width()) - 6) / kLetterWidth;
  const double line_height = upright ? room.width() : room.height();
  if (letters < 1 || line_height < kLineHeight) return "";
  const std::string text = shortened(name, static_cast<std::size_t>(letters));
  if (letters < kLettersLeast && text != name) return "";
  if (upright) {
    const Point at{(room.left + room.right) / 2 + 4, room.bottom - 3};
    return text_at(
        at, "class=\"name\" transform=\"rotate(-90 " + number(at.x) + " " + number(at.y) + ")\"",
        text);
  }
  const double middle = (room.top + room.bottom) / 2;
  const bool both =
      room.height() >= 2.5 * kLineHeight && static_cast<double>(details.size()) <= letters;
  if (!both) return text_at({room.left + 4, middle + 4}, "class=\"name\"", text);
  return text_at({room.left + 4, middle - 2}, "class=\"name\"", text) +
         text_at({room.left + 4, middle + 12}, "class=\"name details\"", details);
}

Rectangle beside(const Rectangle& room, const Rectangle& taken) {
  if (taken.left >= room.right || taken.right <= room.left || taken.top >= room.bottom ||
      taken.bottom <= room.top) {
    return room;
  }
  const Rectangle sides[] = {
      {room.left, room.top, std::max(taken.left, room.left), room.bottom},
      {std::min(taken.right, room.right), room.top, room.right, room.bottom},
      {room.left, room.top, room.right, std::max(taken.top, room.top)},
      {room.left, std::min(taken.bottom, room.bottom), room.right, room.bottom}};
  // A name needs some width and height; more is worth nothing.
  const auto worth = [](const Rectangle& side) {
    return std::min(side.width(), 240.0) * std::min(side.height(), 30.0);
  };
  return *std::max_element(
      std::begin(sides), std::end(sides),
      [&](const Rectangle& a, const Rectangle& b) { return worth(a) < worth(b); });
}

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

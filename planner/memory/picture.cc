// Draws plans as SVG: offset against time, one panel for each memory that holds something.
#include "planner/memory/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "planner/memory/xml_text.h"

namespace arenite::memory {
namespace {

// All in pixels.
constexpr double kWidth = 1200, kLeft = 96, kRight = 24, kPanelHeight = 380, kTop = 52,
                 kBottom = 48, kHeading = 40;
constexpr double kTickSpacing = 64;
constexpr double kLetterWidth = 6.2, kLetterHeight = 12;  // of a label in a rectangle

// Colours that both grounds bear; text and axes follow the reader's preference.
constexpr const char* kStyle =
    "<style>\n"
    "svg.plan { --ink: #1b1f24; --faint: #d0d7de; --ground: #ffffff; background: var(--ground); }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  svg.plan { --ink: #e6edf3; --faint: #30363d; --ground: #0d1117; }\n"
    "}\n"
    ".plan text { font: 11px sans-serif; fill: var(--ink); }\n"
    ".plan .heading { font-size: 16px; font-weight: bold; }\n"
    ".plan .memory { font-size: 13px; font-weight: bold; }\n"
    ".plan .axis { stroke: var(--ink); }\n"
    ".plan .grid { stroke: var(--faint); }\n"
    ".plan .bound { stroke: var(--ink); stroke-dasharray: 6 4; }\n"
    ".plan rect.buffer { stroke: var(--ground); stroke-width: 0.5; }\n"
    ".plan rect.buffer:hover { stroke: var(--ink); stroke-width: 2; }\n"
    ".plan text.name { fill: #10151b; pointer-events: none; }\n"
    "</style>\n";

std::string number(double value) {
  char text[32] = {};
  std::snprintf(text, sizeof(text), "%.2f", value);
  return text;
}

struct Point {
  double x = 0, y = 0;
};

std::string text_at(Point at, const char* attributes, const std::string& text) {
  return "<text x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\" " + attributes + ">" +
         xml_text(text) + "</text>\n";
}

std::string line(Point from, Point to, const char* kind) {
  return std::string("<line class=\"") + kind + "\" x1=\"" + number(from.x) + "\" y1=\"" +
         number(from.y) + "\" x2=\"" + number(to.x) + "\" y2=\"" + number(to.y) + "\"/>\n";
}

// Neighbours in the list get colours far apart.
std::string colour(std::size_t index) {
  const double hue = std::fmod(static_cast<double>(index) * 137.508, 360);
  const int light = 62 + static_cast<int>(index % 3) * 6;
  return "hsl(" + std::to_string(static_cast<int>(hue)) + ",58%," + std::to_string(light) + "%)";
}

// The smallest of 1, 2, 5, 10, 20, ... (or of powers of two) that gives at most `ticks` ticks.
uint64_t tick_distance(uint64_t range, double ticks, bool binary) {
  uint64_t distance = 1;
  for (int i = 0; static_cast<double>(range) / static_cast<double>(distance) > ticks; ++i) {
    if (distance > UINT64_MAX / 4) break;
    distance = binary ? distance * 2 : i % 3 == 1 ? distance / 2 * 5 : distance * 2;
  }
  return distance;
}

// The unit that a whole axis is written in.
struct Unit {
  const char* name;
  double bytes;
};

Unit unit_for(uint64_t distance) {
  constexpr std::array<Unit, 4> kUnits = {
      {{"GiB", 1024. * 1024 * 1024}, {"MiB", 1024. * 1024}, {"KiB", 1024}, {"bytes", 1}}};
  for (const Unit& unit : kUnits) {
    if (static_cast<double>(distance) * 4 >= unit.bytes) return unit;
  }
  return kUnits.back();
}

std::string in_unit(uint64_t bytes, const Unit& unit) {
  char text[32] = {};
  std::snprintf(text, sizeof(text), "%.10g", static_cast<double>(bytes) / unit.bytes);
  return text;
}

class Panel {
 public:
  Panel(const ReportSection& section, uint32_t memory, double top)
      : section_(section),
        report_(*section.report),
        memory_(memory),
        use_(report_.memories[memory]),
        top_(top + kTop) {
    first_ = UINT64_MAX;
    for (const PlacedBuffer& buffer : report_.buffers) {
      first_ = std::min<uint64_t>(first_, buffer.lifetime.first);
      end_ = std::max(end_, uint64_t{buffer.lifetime.last} + 1);
    }
    height_bytes_ = std::max<uint64_t>(use_.peak_bytes, 1);
  }

  std::string draw() {
    std::string title = use_.name + ": peak " + bytes_text(use_.peak_bytes);
    if (use_.size_bytes != kUnbounded) title += " of " + bytes_text(use_.size_bytes);
    title += ", at least " + std::to_string(use_.lower_bound_bytes) + " live at " +
             step_text(section_, use_.peak_step);
    return text_at({kLeft, top_ - 18}, "class=\"memory\"", shortened(title, 150)) + axes() +
           rectangles() + bound();
  }

 private:
  double x(uint64_t step) const {
    return kLeft + (kWidth - kLeft - kRight) * static_cast<double>(step - first_) /
                       static_cast<double>(end_ - first_);
  }
  double y(uint64_t offset) const {
    return top_ +
           kPanelHeight * (1 - static_cast<double>(offset) / static_cast<double>(height_bytes_));
  }

  std::string axes() const {
    std::string text;
    const uint64_t bytes = tick_distance(height_bytes_, kPanelHeight / kTickSpacing * 2, true);
    const Unit unit = unit_for(bytes);
    for (uint64_t at = 0; at <= height_bytes_; at += bytes) {
      text += line({kLeft, y(at)}, {kWidth - kRight, y(at)}, "grid");
      text += text_at({kLeft - 6, y(at) + 4}, "text-anchor=\"end\"", in_unit(at, unit));
    }
    const uint64_t steps =
        tick_distance(end_ - first_, (kWidth - kLeft - kRight) / kTickSpacing, false);
    const double bottom = top_ + kPanelHeight;
    for (uint64_t at = (first_ + steps - 1) / steps * steps; at <= end_; at += steps) {
      text += line({x(at), bottom}, {x(at), bottom + 5}, "axis");
      text += text_at({x(at), bottom + 18}, "text-anchor=\"middle\"", std::to_string(at));
    }
    text += line({kLeft, top_}, {kLeft, bottom}, "axis");
    text += line({kLeft, bottom}, {kWidth - kRight, bottom}, "axis");
    text += text_at({(kLeft + kWidth - kRight) / 2, bottom + 34}, "text-anchor=\"middle\"",
                    "time (step)");
    const std::string turned = "text-anchor=\"middle\" transform=\"rotate(-90 18 " +
                               number(top_ + kPanelHeight / 2) + ")\"";
    return text + text_at({18, top_ + kPanelHeight / 2}, turned.c_str(),
                          std::string("offset (") + unit.name + ")");
  }

  // Large ones first, so that views are seen on what they look at.
  std::string rectangles() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < report_.buffers.size(); ++i) {
      const PlacedBuffer& buffer = report_.buffers[i];
      if (buffer.memory == memory_ && buffer.size_bytes != 0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return report_.buffers[a].size_bytes > report_.buffers[b].size_bytes;
    });
    std::string text;
    for (const std::size_t i : order) text += rectangle(report_.buffers[i], i);
    return text;
  }

  static std::string rectangle_title(const PlacedBuffer& buffer) {
    return buffer.name + ": " + bytes_text(buffer.size_bytes) + " at [" +
           std::to_string(buffer.offset) + ", " +
           std::to_string(buffer.offset + buffer.size_bytes) + "), steps " +
           std::to_string(buffer.lifetime.first) + " to " + std::to_string(buffer.lifetime.last);
  }

  std::string rectangle(const PlacedBuffer& buffer, std::size_t index) const {
    const double left = x(buffer.lifetime.first);
    const double width = x(uint64_t{buffer.lifetime.last} + 1) - left;
    const double up = y(buffer.offset + buffer.size_bytes);
    const double height = y(buffer.offset) - up;
    std::string text = "<rect class=\"buffer\" x=\"" + number(left) + "\" y=\"" + number(up) +
                       "\" width=\"" + number(width) + "\" height=\"" + number(height) +
                       "\" fill=\"" + colour(index) + "\"" +
                       (buffer.relative ? " fill-opacity=\"0.5\"" : "") + "><title>" +
                       xml_text(rectangle_title(buffer)) + "</title></rect>\n";
    const double letters = (width - 6) / kLetterWidth;
    if (letters >= 3 && height >= kLetterHeight) {
      text += text_at({left + 3, up + height / 2 + 4}, "class=\"name\"",
                      shortened(buffer.name, static_cast<std::size_t>(letters)));
    }
    return text;
  }

  std::string bound() const {
    const double at = y(use_.lower_bound_bytes);
    return line({kLeft, at}, {kWidth - kRight, at}, "bound");
  }

  const ReportSection& section_;
  const MemoryReport& report_;
  uint32_t memory_;
  const MemoryUse& use_;
  double top_;
  uint64_t first_ = 0, end_ = 1;  // steps
  uint64_t height_bytes_ = 1;
};

}  // namespace

std::string step_text(const ReportSection& section, uint32_t step) {
  return section.step_name ? section.step_name(step) : "step " + std::to_string(step);
}

std::string to_svg(std::span<const ReportSection> sections) {
  std::string body;
  double height = 0;
  for (const ReportSection& section : sections) {
    body += text_at({16, height + 28}, "class=\"heading\"", shortened(section.title, 120));
    height += kHeading;
    bool any = false;
    for (uint32_t m = 0; m < section.report->memories.size(); ++m) {
      if (section.report->memories[m].peak_bytes == 0) continue;
      any = true;
      body += Panel(section, m, height).draw();
      height += kTop + kPanelHeight + kBottom;
    }
    if (any) continue;
    body += text_at({16, height + 12}, "", "No memory holds anything.");
    height += kHeading;
  }
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plan\" width=\"" + number(kWidth) +
         "\" height=\"" + number(height) + "\" viewBox=\"0 0 " + number(kWidth) + " " +
         number(height) + "\">\n" + kStyle + body + "</svg>\n";
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

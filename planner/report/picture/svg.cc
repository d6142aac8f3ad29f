// Stacks title, facts, warnings and a section for each plan from top to bottom.
#include "planner/report/picture/svg.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include "planner/report/picture/brief_name.h"
#include "planner/report/picture/svg_elements.h"
#include "planner/report/picture/svg_panel.h"
#include "planner/report/picture/svg_program.h"
#include "planner/report/picture/xml_text.h"

namespace arenite::picture {
namespace {

// All in pixels.
constexpr double kWidth = 1200, kLeft = 78, kRight = 100, kTitle = 44, kHeading = 30;
constexpr double kPanelsHeight = 400, kPanelMore = 110, kPanelLeast = 90;
constexpr double kPanelGap = 12, kCells = 12, kNames = 104, kNamesAcross = 38, kCellAcross = 64,
                 kTicks = 40, kLegend = 26, kGap = 22;

// Text, axes and ground follow the reader's preference; the colors of buffers suit both grounds.
constexpr const char* kStyle =
    "<style>\n"
    "svg.plan { --ink: #1b1f24; --muted: #5b6572; --line: #dde2e8; --plot: #f4f6f9;"
    " --ground: #ffffff; --accent: #2563c9; --good: #1a7f4b; --bad: #cf222e; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  svg.plan { --ink: #e6edf3; --muted: #98a4b3; --line: #2b333e; --plot: #1b212a;"
    " --ground: #12171e; --accent: #6aa6ff; --good: #4fc38a; --bad: #ff7b72; }\n"
    "}\n"
    ".plan text { font: 11px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif;"
    " fill: var(--muted); }\n"
    ".plan .ground { fill: var(--ground); }\n"
    ".plan .title { font-size: 18px; font-weight: 600; fill: var(--ink); }\n"
    ".plan .heading { font-size: 14px; font-weight: 600; fill: var(--ink); }\n"
    ".plan .common { pointer-events: all; }\n"
    ".plan .memory { font-size: 13px; font-weight: 600; fill: var(--ink); }\n"
    ".plan .plot { fill: var(--plot); }\n"
    ".plan .most { fill: var(--accent); fill-opacity: 0.14; }\n"
    ".plan .axis { stroke: var(--muted); }\n"
    ".plan .grid { stroke: var(--line); }\n"
    ".plan line.peak { stroke: var(--ink); stroke-width: 1.5; }\n"
    ".plan line.bound { stroke: var(--good); stroke-width: 1.5; stroke-dasharray: 6 4; }\n"
    ".plan line.limit { stroke: var(--bad); stroke-width: 2; }\n"
    ".plan text.mark { font-weight: 600; }\n"
    ".plan text.peak { fill: var(--ink); }\n"
    ".plan text.bound { fill: var(--good); }\n"
    ".plan text.limit { fill: var(--bad); }\n"
    ".plan .buffer { stroke: var(--ground); stroke-width: 0.6; }\n"
    ".plan .buffer:hover { stroke: var(--ink); stroke-width: 2; }\n"
    ".plan .beyond { fill: var(--bad); fill-opacity: 0.22; }\n"
    ".plan .gap { fill: none; stroke: var(--muted); stroke-dasharray: 3 3; pointer-events: none; "
    "}\n"
    ".plan .held { fill: var(--accent); }\n"
    ".plan .short { fill: var(--bad); }\n"
    ".plan .over { fill: none; stroke: var(--bad); stroke-width: 1.5; }\n"
    ".plan text.name { fill: #10151b; pointer-events: none; }\n"
    ".plan text.details { fill-opacity: 0.7; }\n"
    "</style>\n"
    "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\""
    " patternTransform=\"rotate(45)\"><line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"5\" stroke=\"#10151b\""
    " stroke-opacity=\"0.5\" stroke-width=\"1.4\"/></pattern></defs>\n";

TimeAxis time_of(const memory::MemoryReport& report) {
  TimeAxis time{UINT64_MAX, 1, kLeft, kWidth - kRight};
  for (const memory::PlacedBuffer& buffer : report.buffers) {
    time.first = std::min<uint64_t>(time.first, buffer.lifetime.first);
    time.end = std::max(time.end, uint64_t{buffer.lifetime.last} + 1);
  }
  if (report.buffers.empty()) time.first = 0;
  return time;
}

double cell_width(const TimeAxis& time) { return time.x(time.first + 1) - time.x(time.first); }

double names_height(const TimeAxis& time) {
  return cell_width(time) >= kCellAcross ? kNamesAcross : kNames;
}

// Across where there is room, else upright.
std::string step_name(const planner::StepReport& step, Rectangle cell) {
  const double top = cell.bottom + 4;
  if (cell.width() >= kCellAcross) {
    const auto letters = static_cast<std::size_t>(cell.width() / (kLetterWidth + 0.6));
    return text_at({cell.left + 1, top + 10}, "", shortened(step.op, letters)) +
           text_at({cell.left + 1, top + 24}, "", shortened(brief_name(step.name), letters));
  }
  constexpr auto kLetters = static_cast<std::size_t>(kNames / 6.6);
  const Point at{(cell.left + cell.right) / 2 + 4, top};
  return text_at(
      at, "text-anchor=\"end\" transform=\"rotate(-90 " + number(at.x) + " " + number(at.y) + ")\"",
      shortened(brief_name(step.name), kLetters));
}

// A cell for each step in the color of its operator, and names for as many as there is room.
std::string step_lane(const Section& section, const Colors& colors, const TimeAxis& time,
                      double top) {
  const auto& steps = section.variant->step_list;
  const auto each = static_cast<uint64_t>(std::max(1.0, std::ceil(13 / cell_width(time))));
  std::string text;
  for (uint64_t s = time.first; s < time.end && s < steps.size(); ++s) {
    const Rectangle cell{time.x(s), top, time.x(s + 1), top + kCells};
    text += rectangle(cell, "class=\"buffer\" fill=\"" + colors.steps[s] + "\"",
                      step_text(section, static_cast<uint32_t>(s)));
    if (s % each == 0) text += step_name(steps[s], cell);
  }
  return text;
}

std::string time_ticks(const TimeAxis& time, double top) {
  std::string text = line({time.left, top}, {time.right, top}, "axis");
  const uint64_t distance =
      tick_distance(time.end - time.first, (time.right - time.left) / 64, false);
  for (uint64_t at = (time.first + distance - 1) / distance * distance; at < time.end;
       at += distance) {
    const double x = distance == 1 ? (time.x(at) + time.x(at + 1)) / 2 : time.x(at);
    text += line({x, top}, {x, top + 4}, "axis");
    text += text_at({x, top + 16}, "text-anchor=\"middle\"", std::to_string(at));
  }
  return text +
         text_at({(time.left + time.right) / 2, top + 32}, "text-anchor=\"middle\"", "time (step)");
}

// Entries one beside the other, lines as they fill.
class Legend {
 public:
  explicit Legend(double top) : y_(top) {}

  void add_box(const std::string& attributes, const std::string& name) {
    const Point at = next(19, name);
    text_ += rectangle({at.x, at.y - 10, at.x + 14, at.y + 2}, attributes, "");
  }

  void add_line(const std::string& kind, const std::string& name) {
    const Point at = next(23, name);
    text_ += line({at.x, at.y - 4}, {at.x + 18, at.y - 4}, kind);
  }

  double bottom() const { return y_; }
  std::string take() { return std::move(text_); }

 private:
  // Writes a name behind `room` pixels for what goes before it.
  Point next(double room, const std::string& name) {
    constexpr std::size_t kLetters = 30;
    const auto letters = static_cast<double>(std::min(name.size(), kLetters));
    const double width = room + 15 + kLetterWidth * letters;
    if (x_ + width > kWidth - kRight) {
      x_ = kLeft;
      y_ += 18;
    }
    const Point at{x_, y_};
    text_ += text_at({at.x + room, at.y}, "", shortened(name, kLetters));
    x_ += width;
    return at;
  }

  double x_ = kLeft, y_ = 0;
  std::string text_;
};

std::string legend(const Section& section, const Colors& colors, double& top) {
  Legend made(top + 10);
  for (const Colors::Entry& entry : colors.legend) {
    made.add_box("fill=\"" + entry.color + "\"", entry.name);
  }
  made.add_line("peak", "peak");
  made.add_line("bound", "lower bound");
  const auto& memories = section.report->memories;
  const auto any = [&memories](auto&& test) {
    return std::any_of(memories.begin(), memories.end(), test);
  };
  if (any([](const memory::MemoryUse& use) { return use.size_bytes != memory::kUnbounded; })) {
    made.add_line("limit", "limit");
  }
  if (!section.report->common.empty()) {
    made.add_box("fill=\"url(#hatch)\"", "bytes shared on purpose");
  }
  const auto& buffers = section.report->buffers;
  if (std::any_of(buffers.begin(), buffers.end(),
                  [](const memory::PlacedBuffer& buffer) { return buffer.has_gaps(); })) {
    made.add_box("class=\"gap\"", "a gap: free for others");
  }
  made.add_box("class=\"most\"", "most bytes live");
  if (any([](const memory::MemoryUse& use) { return use.short_bytes() != 0; })) {
    made.add_box("class=\"beyond\"", "beyond the limit");
  }
  top = made.bottom() + kLegend;
  return made.take();
}

// All panels have one scale, if that leaves every memory something to look at.
std::vector<double> panel_heights(const memory::MemoryReport& report) {
  double bytes = 0, used = 0;
  for (const memory::MemoryUse& use : report.memories) {
    if (use.peak_bytes == 0) continue;
    bytes += static_cast<double>(drawn_bytes(use));
    used += 1;
  }
  std::vector<double> heights;
  for (const memory::MemoryUse& use : report.memories) {
    const double share = use.peak_bytes == 0 ? 0 : static_cast<double>(drawn_bytes(use)) / bytes;
    const double height = (kPanelsHeight + kPanelMore * (used - 1)) * share;
    heights.push_back(use.peak_bytes == 0 ? 0 : std::floor(std::max(height, kPanelLeast)));
  }
  return heights;
}

std::string section_svg(const Heading& heading, const Section& section, double& top) {
  const memory::MemoryReport& report = *section.report;
  const TimeAxis time = time_of(report);
  const Colors colors = colors_of(section);
  const std::vector<double> heights = panel_heights(report);
  std::string text = text_at({16, top + 18}, "class=\"heading\"", shortened(section.title, 130));
  top += kHeading;
  bool any = false;
  for (uint32_t m = 0; m < report.memories.size(); ++m) {
    if (report.memories[m].peak_bytes == 0) continue;
    any = true;
    text += panel_svg(section, colors, m, time, top, heights[m]);
    top += kPanelTitle + heights[m] + kPanelGap;
  }
  if (!any) {
    text += text_at({16, top + 12}, "", "No memory holds anything.");
    top += kHeading;
    return text;
  }
  if (section.variant != nullptr) {
    text += step_lane(section, colors, time, top);
    top += kCells + names_height(time);
  }
  text += time_ticks(time, top);
  top += kTicks;
  text += legend(section, colors, top);
  if (section.variant != nullptr && !section.variant->vulkan) {
    text +=
        short_program_memories_svg(heading.program_memories, section.variant->board, kLeft, top);
  }
  top += kGap;
  return text;
}

// In lines of whole words.
std::vector<std::string> folded(const std::string& text, std::size_t letters) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::string& line = lines.back();
    if (!line.empty() && line.size() + 1 + word.size() > letters) {
      lines.push_back(word);
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return lines;
}

// Draws the warnings that something does not fit, and the advice.
std::string warnings_svg(const Heading& heading, double& top) {
  constexpr auto kLetters = static_cast<std::size_t>((kWidth - 40) / (kLetterWidth + 1));  // bold
  std::string text;
  const auto add = [&](const std::string& kind, const std::string& paragraph) {
    for (const std::string& line : folded(paragraph, kLetters)) {
      text += text_at({16, top + 10}, kind, shortened(line, kLetters));
      top += 16;
    }
  };
  for (const Warning& warning : heading.warnings) {
    add("class=\"mark limit\"", warning.text);
    for (const std::string& line : warning.advice) add("", line);
    top += 8;
  }
  return text;
}

}  // namespace

std::string to_svg(const Heading& heading, std::span<const Section> sections) {
  double height = kTitle;
  std::string body = text_at({16, 30}, "class=\"title\"", shortened(heading.title, 100));
  body += warnings_svg(heading, height);
  for (const Section& section : sections) body += section_svg(heading, section, height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plan\" width=\"" + number(kWidth) +
         "\" height=\"" + number(height) + "\" viewBox=\"0 0 " + number(kWidth) + " " +
         number(height) + "\" role=\"img\">\n<title>" + xml_text(heading.title) + "</title>\n" +
         kStyle + "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n" + body + "</svg>\n";
}

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

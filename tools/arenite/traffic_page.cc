// Draws a bar for each step: bytes read, and on top of them bytes written.
//
//   sram                       read 139664, written 33320
//   40 K |        ##
//        |  ##    ::           ## written
//        |  ::    ::  ::       :: read
//      0 +--------------
//          step 0  1   2
#include "tools/arenite/traffic_page.h"

#include <algorithm>

#include "planner/report/picture/svg_elements.h"
#include "planner/report/picture/xml_text.h"

namespace arenite::tools {
namespace {

using picture::number;
using picture::Rectangle;
using picture::xml_text;

constexpr double kLeft = 90, kRight = 20, kTop = 10, kBottom = 20;  // around a plot, pixels
constexpr double kPlotHeight = 160, kPlotWidth = 900;
constexpr double kTicks = 4;
constexpr size_t kStepTicks = 20;

constexpr char kStyle[] =
    "<style>\n"
    ":root{color-scheme:light dark;--ink:#1b1f24;--muted:#5b6572;--line:#dde2e8;--ground:#fff;"
    "--read:#2563c9;--written:#d9822b}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--muted:#98a4b3;--line:#2b333e;"
    "--ground:#151a21;--read:#6aa6ff;--written:#f0a04b}}\n"
    "body{margin:24px;background:var(--ground);color:var(--ink);"
    "font:14px/1.45 system-ui,sans-serif}\n"
    "h1{font-size:20px}h2{font-size:16px;margin:24px 0 4px}p{color:var(--muted);margin:0}\n"
    "svg{width:100%;max-width:1010px}svg text{fill:var(--muted);font:11px sans-serif}\n"
    ".grid{stroke:var(--line)}.read{fill:var(--read)}.written{fill:var(--written)}\n"
    ".key{display:inline-block;width:10px;height:10px;margin:0 4px 0 12px}\n"
    ".key.read{background:var(--read)}.key.written{background:var(--written)}\n"
    "table{border-collapse:collapse;margin-top:24px}th,td{padding:2px 10px;text-align:right;"
    "border-bottom:1px solid var(--line)}th.name,td.name{text-align:left}\n"
    "</style>\n";

const SimulatedMoves* moves_in(const std::vector<SimulatedMoves>& moved,
                               const std::string& memory) {
  const auto found = std::ranges::find(moved, memory, &SimulatedMoves::memory);
  return found == moved.end() ? nullptr : &*found;
}

std::string step_text(const SimulatedStep& step) {
  return "step " + std::to_string(step.row.index) + ": " + step.row.name + " (" +
         (step.form.empty() ? "left out" : step.form) + ")";
}

// The plot of one memory.
class Plot {
 public:
  Plot(const std::vector<SimulatedStep>& steps, const std::string& memory)
      : steps_(steps), memory_(memory) {
    for (const SimulatedStep& step : steps) {
      const SimulatedMoves* moved = moves_in(step.moved, memory);
      if (moved != nullptr) most_ = std::max(most_, moved->read_bytes + moved->written_bytes);
    }
  }

  std::string svg() const {
    std::string text = "<svg viewBox=\"0 0 " + number(kLeft + kPlotWidth + kRight) + " " +
                       number(kTop + kPlotHeight + kBottom) + "\" role=\"img\" aria-label=\"" +
                       xml_text("bytes moved in " + memory_ + " by step") + "\">\n";
    const uint64_t distance = picture::tick_distance(most_, kTicks, true);
    for (uint64_t bytes = 0; bytes <= most_; bytes += distance) {
      text += picture::line({kLeft, y_of(bytes)}, {kLeft + kPlotWidth, y_of(bytes)}, "grid");
      text += picture::text_at({kLeft - 6, y_of(bytes) + 4}, "text-anchor=\"end\"",
                               picture::short_bytes(bytes));
    }
    const size_t every = (steps_.size() + kStepTicks - 1) / kStepTicks;
    for (size_t at = 0; at < steps_.size(); ++at) {
      if (at % every == 0) {
        text += picture::text_at({(x_of(at) + x_of(at + 1)) / 2, kTop + kPlotHeight + 14},
                                 "text-anchor=\"middle\"", std::to_string(steps_[at].row.index));
      }
      text += bars(at);
    }
    return text + "</svg>\n";
  }

 private:
  double y_of(uint64_t bytes) const {
    const double share = most_ == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(most_);
    return kTop + kPlotHeight * (1 - share);
  }
  double x_of(size_t at) const {
    return kLeft + kPlotWidth * static_cast<double>(at) / static_cast<double>(steps_.size());
  }

  std::string bars(size_t at) const {
    const SimulatedMoves* moved = moves_in(steps_[at].moved, memory_);
    if (moved == nullptr) return "";
    const double gap = std::min(2.0, (x_of(1) - x_of(0)) * 0.1);
    const std::string title = step_text(steps_[at]) + "\nread " +
                              std::to_string(moved->read_bytes) + " bytes, written " +
                              std::to_string(moved->written_bytes);
    const uint64_t both = moved->read_bytes + moved->written_bytes;
    const auto bar = [&](uint64_t from, uint64_t to, const char* kind) {
      if (from == to) return std::string();
      return picture::rectangle(Rectangle{x_of(at) + gap, y_of(to), x_of(at + 1) - gap, y_of(from)},
                                std::string("class=\"") + kind + "\"", title);
    };
    return bar(0, moved->read_bytes, "read") + bar(moved->read_bytes, both, "written");
  }

  const std::vector<SimulatedStep>& steps_;
  const std::string& memory_;
  uint64_t most_ = 0;  // bytes that a step moves
};

std::string cell(const std::string& text) { return "<td>" + text + "</td>"; }

// Bytes read and written in each memory of the simulation.
std::string cells_of(const std::vector<SimulatedMoves>& moves, const Simulation& simulation) {
  std::string text;
  for (const SimulatedMoves& memory : simulation.memories) {
    const SimulatedMoves* moved = moves_in(moves, memory.memory);
    text += cell(moved == nullptr ? "" : std::to_string(moved->read_bytes));
    text += cell(moved == nullptr ? "" : std::to_string(moved->written_bytes));
  }
  return text;
}

std::string table(const Simulation& simulation) {
  const bool predicted = std::ranges::any_of(
      simulation.steps, [](const SimulatedStep& step) { return step.predicted_us.has_value(); });
  std::string text =
      "<table>\n<tr><th>step</th><th class=\"name\">name</th>"
      "<th class=\"name\">form</th>";
  for (const SimulatedMoves& memory : simulation.memories) {
    const std::string name = xml_text(memory.memory);
    text += "<th>" + name + " read</th><th>" + name + " written</th>";
  }
  text += predicted ? "<th>predicted us</th></tr>\n" : "</tr>\n";
  for (const SimulatedStep& step : simulation.steps) {
    text += "<tr>" + cell(std::to_string(step.row.index)) + "<td class=\"name\">" +
            xml_text(step.row.name) + "</td><td class=\"name\">" + xml_text(step.form) + "</td>";
    text += cells_of(step.moved, simulation);
    if (predicted) text += cell(step.predicted_us ? number(*step.predicted_us) : "");
    text += "</tr>\n";
  }
  if (!simulation.states.empty()) {
    text += "<tr>" + cell("") + "<td class=\"name\">states take their next values</td>" + cell("") +
            cells_of(simulation.states, simulation) + (predicted ? cell("") : "") + "</tr>\n";
  }
  return text + "</table>\n";
}

}  // namespace

std::string traffic_page(const Simulation& simulation) {
  const std::string title = "Bytes moved in a simulated run on board " + simulation.board;
  std::string page =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
      xml_text(title) + "</title>\n" + kStyle + "</head>\n<body>\n<h1>" + xml_text(title) +
      "</h1>\n<p>" +
      (simulation.by_extents ? "Bytes of operands, each element once, in one run, by step"
                             : "In one run, by step") +
      "<span class=\"key read\"></span>read"
      "<span class=\"key written\"></span>written</p>\n";
  for (const SimulatedMoves& memory : simulation.memories) {
    page += "<h2>" + xml_text(memory.memory) + "</h2>\n<p>" + std::to_string(memory.read_bytes) +
            " bytes read, " + std::to_string(memory.written_bytes) + " written";
    const auto arena = std::ranges::find(simulation.arenas, memory.memory, &SimulatedArena::memory);
    if (arena != simulation.arenas.end()) {
      page += "; " + std::to_string(arena->planned_bytes) + " bytes planned, " +
              std::to_string(arena->touched_bytes) + " touched";
    }
    page += "</p>\n" + Plot(simulation.steps, memory.memory).svg();
  }
  return page + table(simulation) + "</body>\n</html>\n";
}

}  // namespace arenite::tools
// SPDX-License-Identifier: Apache-2.0

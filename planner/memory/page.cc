// Writes plans as one self-contained HTML page: tables, pictures, and a row for each tensor.
#include "planner/memory/page.h"

#include <algorithm>
#include <vector>

#include "planner/memory/xml_text.h"

namespace arenite::memory {
namespace {

constexpr const char* kHead =
    "<style>\n"
    ":root { color-scheme: light dark; }\n"
    "body { font: 14px sans-serif; margin: 24px; }\n"
    "table { border-collapse: collapse; margin: 12px 0; }\n"
    "th, td { padding: 3px 12px; border-bottom: 1px solid #8884; text-align: right; }\n"
    "th:first-child, td:first-child { text-align: left; word-break: break-all; }\n"
    "td.step { text-align: left; }\n"
    "svg { max-width: 100%; height: auto; }\n"
    "</style>\n";

using Cells = std::vector<std::string>;

std::string row(const Cells& cells, const char* tag) {
  std::string text = "<tr>";
  for (const std::string& cell : cells) {
    text += std::string("<") + tag + ">" + xml_text(cell) + "</" + tag + ">";
  }
  return text + "</tr>\n";
}

std::string memory_table(const MemoryReport& report) {
  std::string text =
      "<table class=\"memories\">\n" +
      row({"memory", "base", "size", "peak", "free", "live at most", "at step"}, "th");
  for (const MemoryUse& use : report.memories) {
    const bool bounded = use.size_bytes != kUnbounded;
    text +=
        row({use.name, address_text(use.base),
             bounded ? std::to_string(use.size_bytes) : "no limit", std::to_string(use.peak_bytes),
             use.short_bytes() != 0 ? "-" + std::to_string(use.short_bytes())
             : bounded              ? std::to_string(use.free_bytes())
                                    : "-",
             std::to_string(use.lower_bound_bytes), std::to_string(use.peak_step)},
            "td");
  }
  return text + "</table>\n";
}

std::string paragraph(const std::string& text) { return "<p>" + xml_text(text) + "</p>\n"; }

std::string live_table(const MemoryReport& report) {
  std::string text =
      "<table class=\"live\">\n" + row({"lives at the peak", "memory", "bytes"}, "th");
  for (const LiveAtPeak& live : report.live) {
    text +=
        row({live.name, report.memories[live.memory].name, std::to_string(live.size_bytes)}, "td");
  }
  return text + "</table>\n";
}

std::string tensor_table(const ReportSection& section) {
  const MemoryReport& report = *section.report;
  std::string text =
      "<details open=\"\"><summary>" + std::to_string(report.buffers.size()) +
      " tensors</summary>\n<table class=\"tensors\">\n" +
      row({"tensor", "memory", "offset", "end", "bytes", "born at", "last used at"}, "th");
  for (const PlacedBuffer& buffer : report.buffers) {
    text +=
        row({buffer.name, report.memories[buffer.memory].name, std::to_string(buffer.offset),
             std::to_string(buffer.offset + buffer.size_bytes), std::to_string(buffer.size_bytes),
             step_text(section, buffer.lifetime.first), step_text(section, buffer.lifetime.last)},
            "td");
  }
  return text + "</table>\n</details>\n";
}

std::string section_text(const ReportSection& section) {
  const MemoryReport& report = *section.report;
  return "<section>\n<h2>" + xml_text(section.title) + "</h2>\n" + memory_table(report) +
         paragraph("All memories together: " + bytes_text(report.total_peak_bytes) + " live at " +
                   step_text(section, report.total_peak_step) + "; the peaks sum to " +
                   bytes_text(report.peak_sum_bytes) + ".") +
         paragraph("Lower bound " + std::to_string(report.lower_bound_bytes) + ", gap " +
                   gap_text(report) + ", " + (report.optimal ? "optimal" : "not proved optimal") +
                   ".") +
         live_table(report) + to_svg({&section, 1}) + tensor_table(section) + "</section>\n";
}

}  // namespace

std::string to_html(const std::string& title, std::span<const std::string> facts,
                    std::span<const ReportSection> sections) {
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>" +
      xml_text(title) + "</title>\n" + kHead + "</head>\n<body>\n<h1>" + xml_text(title) +
      "</h1>\n";
  for (const std::string& fact : facts) text += paragraph(fact);
  for (const ReportSection& section : sections) text += section_text(section);
  return text + "</body>\n</html>\n";
}

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

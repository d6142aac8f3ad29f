// Shows a plan's report as a picture, and as a page for a browser.
#include "planner/memory/page.h"
#include "planner/names.h"
#include "planner/report/report.h"

namespace arenite::planner {
namespace {

std::vector<memory::ReportSection> sections_of(const PlanReport& report) {
  std::vector<memory::ReportSection> sections;
  for (const VariantReport& variant : report.variants) {
    memory::ReportSection section;
    section.title = "method " + printable(variant.method) + ", board " + variant.board + ", " +
                    (variant.vulkan ? "Vulkan" : "CPU");
    section.report = &variant.memories;
    section.step_name = [&variant](uint32_t step) {
      return step < variant.step_names.size() ? variant.step_names[step]
                                              : "step " + std::to_string(step);
    };
    sections.push_back(std::move(section));
  }
  return sections;
}

}  // namespace

std::string to_svg(const PlanReport& report) { return memory::to_svg(sections_of(report)); }

std::string to_html(const PlanReport& report, const std::string& program) {
  std::vector<std::string> facts = {
      std::to_string(report.bytes) + " bytes, of which " + std::to_string(report.constant_bytes) +
      " are constants; memory planner " + report.memory_planner + "."};
  for (const SharedArena& arena : report.shared) {
    facts.push_back("Arena " + arena.name + " of board " + arena.board +
                    (arena.vulkan ? " (Vulkan)" : "") +
                    ", shared by all methods: " + memory::bytes_text(arena.peak_bytes) + ".");
  }
  facts.insert(facts.end(), report.notes.begin(), report.notes.end());
  return memory::to_html("Plan of " + program, facts, sections_of(report));
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

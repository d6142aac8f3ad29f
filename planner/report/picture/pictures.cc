// Turns reports and results into headings and sections, which the SVG and HTML writers draw.
#include "planner/report/picture/pictures.h"

#include "planner/graph/names.h"
#include "planner/memplan/memplan.h"
#include "planner/program/inspect.h"
#include "planner/report/picture/page.h"
#include "planner/report/picture/page_data.h"
#include "planner/report/picture/step_facts.h"
#include "planner/report/picture/svg.h"
#include "planner/report/ram_text.h"
#include "planner/report/shortages.h"
#include "support/hex.h"
#include "support/version.h"

namespace arenite::picture {
namespace {

using memory::MemplanResult;
using planner::PlanReport;

std::vector<Section> sections_of(const PlanReport& report) {
  std::vector<Section> sections;
  for (const planner::VariantReport& variant : report.variants) {
    sections.push_back({"method " + printable(variant.method) + ", board " + variant.board + ", " +
                            (variant.vulkan ? "Vulkan" : "CPU"),
                        report.memory_planner, &variant.memories, &variant});
  }
  return sections;
}

std::vector<std::string> facts_of(const PlanReport& report) {
  std::vector<std::string> facts;
  if (report.bytes != 0) {
    facts.push_back("Program of " + memory::bytes_text(report.bytes) + ", of which " +
                    memory::bytes_text(report.constant_bytes) + " are constants; memory planner " +
                    report.memory_planner + ".");
  }
  for (const planner::SharedArena& arena : report.shared) {
    facts.push_back("Arena " + arena.name + " of board " + arena.board +
                    (arena.vulkan ? " (Vulkan)" : "") +
                    ", shared by all methods: " + memory::bytes_text(arena.peak_bytes) + ".");
  }
  for (const planner::RamReport& ram : report.ram) facts.push_back(planner::ram_line(ram));
  facts.insert(facts.end(), report.notes.begin(), report.notes.end());
  return facts;
}

// What files a page: the program's digest, and the version and the command that made both.
std::string origin_of(const PageExtras& extras) {
  std::string text = "Made by arenite ";
  if (!extras.file.empty()) {
    const planner::ProgramInfo info = planner::inspect(extras.file);
    text = "Digest 0x" + hex_digits(info.digest, 8) + "; made by arenite ";
  }
  return text + kVersion + (extras.command.empty() ? "." : ": " + extras.command);
}

Heading heading_of(const PlanReport& report, const std::string& program) {
  Heading heading;
  heading.title = !report.shortages.empty() ? "A plan that does not fit"
                  : program.empty()         ? "Plan"
                                            : "Plan of " + program;
  heading.facts = facts_of(report);
  for (const planner::Shortage& shortage : report.shortages) {
    heading.warnings.push_back({shortage.text, planner::advice_of(shortage)});
  }
  heading.program_memories = report.program_memories;
  return heading;
}

Heading heading_of(const MemplanResult& result) {
  Heading heading;
  heading.title = "Memory plan of " + result.problem_name;
  if (result.does_not_fit) {
    heading.warnings.push_back({"Does not fit: " + memory::message(*result.does_not_fit), {}});
  }
  if (result.verdict) {
    heading.title += ", as placed by " + result.verdict->solution_name;
    for (const memory::Fault& fault : result.verdict->faults) {
      heading.warnings.push_back({"Invalid: " + memory::message(*result.verdict, fault), {}});
    }
  }
  return heading;
}

Section section_of(const MemplanResult& result) {
  const std::string planner =
      result.verdict ? "that of " + result.verdict->solution_name : result.algorithm;
  const bool faulty = result.verdict && !result.verdict->valid;
  return {result.problem_name + ", " + planner, planner, &result.report, nullptr, faulty};
}

}  // namespace

std::string to_svg(const PlanReport& report, const std::string& program) {
  return to_svg(heading_of(report, program), sections_of(report));
}

std::string to_html(const PlanReport& report, const std::string& program,
                    const PageExtras& extras) {
  std::vector<Section> sections = sections_of(report);
  Heading heading = heading_of(report, program);
  if (!extras.file.empty()) add_program_facts(extras.file, sections);
  if (!extras.timings.empty()) add_costs(extras.timings, extras.timings_name, sections);
  if (!extras.before.empty()) {
    heading.before = data_of_page(extras.before, extras.before_name);
    heading.before_name = extras.before_name;
  }
  heading.facts.push_back(origin_of(extras));
  return to_html(heading, sections);
}

std::string to_svg(const MemplanResult& result) {
  const Section section = section_of(result);
  return to_svg(heading_of(result), {&section, 1});
}

std::string to_html(const MemplanResult& result) {
  const Section section = section_of(result);
  return to_html(heading_of(result), {&section, 1});
}

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

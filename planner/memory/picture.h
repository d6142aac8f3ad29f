// Draws plans as SVG: offset against time, one panel for each memory that holds something.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "planner/memory/report.h"

namespace arenite::memory {

// One plan of a report: a problem, or a variant of a program.
struct ReportSection {
  std::string title;
  const MemoryReport* report = nullptr;
  // What people know a step by; null: its number.
  std::function<std::string(uint32_t step)> step_name;
};

// "step 3", or what the section says.
std::string step_text(const ReportSection& section, uint32_t step);

// One self-contained drawing, panels one below the other. Each rectangle's <title>, shown when the
// mouse is over it, has name, size, place and steps. Readable on light and on dark ground.
std::string to_svg(std::span<const ReportSection> sections);

}  // namespace arenite::memory
// SPDX-License-Identifier: Apache-2.0

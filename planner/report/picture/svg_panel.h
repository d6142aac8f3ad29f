// Draws one memory of a plan: its buffers, bytes in common, and the lines of limit, peak and bound.
#pragma once

#include <cstdint>
#include <string>

#include "planner/report/picture/section.h"
#include "planner/report/picture/svg_colors.h"
#include "planner/report/picture/svg_elements.h"

namespace arenite::picture {

// The steps that all panels of a section show, and where.
struct TimeAxis {
  uint64_t first = 0, end = 1;  // steps; the end is one more than the last
  double left = 0, right = 1;   // pixels

  double x(uint64_t step) const {
    return left +
           (right - left) * static_cast<double>(step - first) / static_cast<double>(end - first);
  }
};

// The drawn part of a memory: up to its peak, and to its limit if that is near or passed.
uint64_t drawn_bytes(const memory::MemoryUse& use);

inline constexpr double kPanelTitle = 28;  // pixels above the plot

// `top` is that of the title; the plot is `height` pixels high.
std::string panel_svg(const Section& section, const Colors& colors, uint32_t memory,
                      const TimeAxis& time, double top, double height);

// "step 3 (conv, Conv_12)"
std::string step_text(const Section& section, uint32_t step);

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

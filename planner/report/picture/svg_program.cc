// Draws a bar as long as the contents, and the limit as a line in it.
#include "planner/report/picture/svg_program.h"

#include "planner/report/picture/svg_elements.h"
#include "planner/report/shortages.h"

namespace arenite::picture {
namespace {

// All in pixels.
constexpr double kName = 190, kBar = 300, kBarHeight = 12, kRow = 22;

std::string bar(const planner::ProgramMemoryReport& memory, Point at) {
  const double limit = at.x + kBar * static_cast<double>(memory.size_bytes) /
                                  static_cast<double>(memory.used_bytes());
  const double bottom = at.y + kBarHeight;
  return rectangle({at.x, at.y, limit, bottom}, "class=\"held\"", "") +
         rectangle({limit, at.y, at.x + kBar, bottom}, "class=\"short\"",
                   planner::contents_text(memory)) +
         line({limit, at.y - 3}, {limit, bottom + 3}, "limit");
}

}  // namespace

std::string short_program_memories_svg(std::span<const planner::ProgramMemoryReport> memories,
                                       const std::string& board, double left, double& top) {
  std::string text;
  for (const planner::ProgramMemoryReport& memory : memories) {
    if (memory.board != board || memory.short_bytes() == 0) continue;
    const double base = top + kBarHeight - 2;
    text += text_at({left, base}, "class=\"memory\"", memory.name);
    text += text_at({left + kName - 8, base}, "text-anchor=\"end\"", memory.image + " image");
    text += bar(memory, {left + kName, top});
    text += text_at(
        {left + kName + kBar + 12, base}, "",
        short_bytes(memory.used_bytes()) + " of " + short_bytes(memory.size_bytes) +
            (memory.short_bytes() == 0 ? "" : ", short by " + short_bytes(memory.short_bytes())));
    top += kRow;
  }
  return text;
}

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

// A small plan for the tests of pictures: two memories in use, one idle, and a buffer of no bytes.
#pragma once

#include "planner/report/picture/section.h"
#include "tests/planner/memory/build.h"

namespace arenite::picture {

struct Drawn {
  Drawn() {
    const memory::Problem problem = memory::problem_of(
        {{.name = "fast", .size_bytes = 100}, {.name = "slow"}, {.name = "idle"}},
        {memory::buffer(80, 0, 0), memory::buffer(30, 1, 2), memory::buffer(60, 1, 1),
         memory::buffer(0, 0, 2)});
    report = memory::make_report(problem, {{{0, 0}, {0, 0}, {1, 0}, {0, 0}}});
    section = {"title", "search", &report, nullptr};
  }
  Drawn(const Drawn&) = delete;
  Drawn& operator=(const Drawn&) = delete;

  memory::MemoryReport report;
  Section section;
};

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

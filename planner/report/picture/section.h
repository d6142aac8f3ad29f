// The input of a picture: plans, and names that people know their steps and tensors by.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "planner/memory/report.h"
#include "planner/report/report.h"

namespace arenite::picture {

// A problem, or a variant of a program. Both reports outlive it.
struct Section {
  std::string title;      // "method main, board host, CPU"
  std::string algorithm;  // that placed its buffers: "search"
  const memory::MemoryReport* report = nullptr;
  const planner::VariantReport* variant = nullptr;  // null: a problem, known by numbers alone
  bool faulty = false;  // buffers lie where they must not: no plan, though it is drawn
};

// A warning that something does not fit, and advice.
struct Warning {
  std::string text;
  std::vector<std::string> advice;
};

// The heading over all plans.
struct Heading {
  std::string title;
  std::vector<std::string> facts;  // a line each
  std::vector<Warning> warnings;
  std::span<const planner::ProgramMemoryReport> program_memories;
};

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

// The input of a picture: plans, and names that people know their steps and tensors by.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "planner/memory/report.h"
#include "planner/report/report.h"

namespace arenite::picture {

// What a step is besides its place in the plan.
struct StepFacts {
  std::string form;            // "Conv.float32_avx2", or a shader; empty where it has none
  uint64_t macs = 0;           // multiply-accumulates; 0: it computes something else
  std::optional<double> cost;  // measured, in the section's unit
};

// A constant that the program holds.
struct Weight {
  std::string name, dtype, shape;
  uint64_t bytes = 0;
  std::vector<uint32_t> read_by;  // steps
};

// A problem, or a variant of a program. Both reports outlive it.
struct Section {
  std::string title;      // "method main, board host, CPU"
  std::string algorithm;  // that placed its buffers: "search"
  const memory::MemoryReport* report = nullptr;
  const planner::VariantReport* variant = nullptr;  // null: a problem, known by numbers alone
  bool faulty = false;  // buffers lie where they must not: no plan, though it is drawn
  std::vector<StepFacts> steps = {};  // of the variant's; empty: not known
  std::vector<Weight> weights = {};   // in the order of the steps that read them
  std::string cost_unit = {};         // "us" or "instructions"; empty: nothing was measured
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
  std::string before = {};       // data of the page of an earlier plan; empty: there is none
  std::string before_name = {};  // its file
};

}  // namespace arenite::picture
// SPDX-License-Identifier: Apache-2.0

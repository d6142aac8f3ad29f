// Turns planned variants into the tables of a program file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/capabilities.h"
#include "planner/graph/graph.h"
#include "planner/graph/symbol.h"
#include "planner/program/sections.h"
#include "planner/program/writer.h"
#include "planner/steps/lower/constants.h"
#include "planner/steps/schedule/schedule.h"
#include "planner/steps/schedule/symbolic.h"

namespace arenite::planner {

struct PlannedVariant {
  std::string board;
  Capabilities requirements;  // minimum by capability; 0: none
  uint32_t threads_max = 1;
  bool reserves_fallback = false;
  bool exact_forms = false;
  Schedule plan;
  SymbolicSchedule symbolic = {};  // empty where the method has no symbols
};

// An input that begins each run with what an output held at the end of the run before.
struct PlannedState {
  uint32_t input = 0, output = 0;  // output: kNoIndex where the method only reads it
  bool shared = false;             // with other methods: it lies at one place for all of them
  std::optional<Operand> initial;  // of the pool, row-major; nothing: zeros
};

struct PlannedMethod {
  std::string name;
  std::vector<std::string> inputs, outputs;  // names
  std::vector<PlannedState> states;          // by rising input
  std::vector<OutputCount> output_counts;
  std::vector<PlannedVariant> variants;  // at least one, in order of preference
  std::vector<TestVector> test_vectors;
  std::vector<Symbol> symbols = {};
  std::vector<std::optional<Quantization>> quantization;  // of inputs, then outputs; or empty
};

struct SectionChoice {
  bool names = true;
  bool source_map = true;
};

// Only constants that some step or state reads are stored. Throws InputError where a count or an
// offset leaves its field, and SizeError (dispatch_counts.h).
ProgramTables make_tables(const std::vector<PlannedMethod>& methods, const ConstantPool& pool,
                          const SectionChoice& sections);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// The planner's one entry: models in, a checked program file and a report out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "planner/board/board.h"
#include "planner/emit/sections.h"
#include "planner/graph.h"
#include "planner/import.h"
#include "planner/memory/plan.h"
#include "planner/memplan/constraints.h"
#include "planner/place/place.h"
#include "planner/report/report.h"
#include "planner/variant/partition.h"
#include "support/progress.h"

namespace arenite::planner {

struct ModelFile {
  std::string method;  // the name it gets in the program
  std::vector<std::byte> bytes;
  ImportOptions import;
  std::vector<TestVector> test_vectors;
};

struct NamedGraph {
  std::string method;
  Graph graph;  // optimised: plan_graphs runs none of planner/passes
  std::vector<TestVector> test_vectors;
};

// What the plan of a CPU variant is for, where the two part ways.
enum class Optimize : uint8_t {
  kSpeed,   // no step runs on one thread, and nothing is copied, to save bytes
  kMemory,  // fewest bytes
};

// kMemory where some memory of the board has a limit, kSpeed where none has.
Optimize default_optimize(const Board& board);

struct PlanOptions {
  std::vector<Board> boards;  // at least one; variants are stored in this order
  memory::Algorithm memory_planner = memory::kDefaultAlgorithm;
  std::optional<Optimize> optimize;  // nothing: by the board
  // The image that the program is for, "embedded" or "harness": only that image's memories must
  // hold it. Empty: those of each image that a board has.
  std::string image;
  // What the code of an embedded image takes; nothing: as the table of the board's toolchain says.
  std::optional<uint64_t> assumed_code_bytes;
  // Inputs of Vulkan variants live to the end, so that a lost device can be re-run on the CPU.
  bool reserve_fallback = true;
  memory::Constraints constraints;  // on CPU variants
  // Inputs and outputs of CPU variants take no arena bytes: the caller binds memory to them. Those
  // of Vulkan variants stay planned: they lie in memory that the device reaches.
  bool caller_io = false;
  // On the CPU, constants that a step reads again and again are copied into what is left free of
  // the board's first memory, once a run (planner/place/near_constants.h).
  bool near_constants = false;
  // Steps are planned for their forms alone, and the program says so: a machine without one of them
  // refuses it. Else any machine can run it, with references where forms are missing.
  bool exact_forms = false;
  OpTable ops;  // the forms to plan with; empty: all of this build
  OverlapPasses overlaps;
  bool names = true;  // sections for people: names of values, and which model nodes a step is
  bool source_map = true;
  // Passes that are left out, by name: planner/passes and planner/peak/reduction.h.
  std::vector<std::string> disabled_passes;
  ProgressHook progress;  // told of each method's part; may be empty
  // Narrows what goes to Vulkan further than the shaders' own limits do; null: no further.
  ShaderSupport shader_filter;
};

struct PlanResult {
  std::vector<std::byte> program;
  PlanReport report;
};

// A program that is right but too big for its board: exit status 1. what() has what is short of how
// much.
struct DoesNotFitError : std::runtime_error {
  explicit DoesNotFitError(PlanReport figures);
  PlanReport report;  // with shortages
};

// One method a model. The program has been opened and each variant loaded before it is returned.
// Throws InputError for a model, board or option that cannot be used; DoesNotFitError.
PlanResult plan_models(const std::vector<ModelFile>& models, const PlanOptions& options);
PlanResult plan_graphs(const std::vector<NamedGraph>& graphs, const PlanOptions& options);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Options of a plan: models, boards, and how to plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/form.h"
#include "planner/board/board.h"
#include "planner/graph/graph.h"
#include "planner/graph/symbol.h"
#include "planner/import/model/front_end.h"
#include "planner/memory/plan.h"
#include "planner/memplan/constraints.h"
#include "planner/program/sections.h"
#include "planner/steps/decide/target.h"
#include "planner/steps/variant/overlaps.h"
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
  Graph graph;  // optimized: plan_graphs runs none of planner/passes
  std::vector<TestVector> test_vectors;
  // Dims that callers choose before runs. `graph` is for the most that each can be; graph_at makes
  // it for other numbers, optimized too.
  std::vector<Symbol> symbols = {};
  std::function<Graph(const SymbolNumbers& numbers)> graph_at = {};
};

// The aim of a CPU variant's plan, if speed and memory disagree.
enum class Optimize : uint8_t {
  kSpeed,   // no step runs on one thread, and nothing is copied, to save bytes
  kMemory,  // fewest bytes
};

struct PlanOptions {
  std::vector<Board> boards;  // at least one; variants are stored in this order
  memory::Algorithm memory_planner = memory::kDefaultAlgorithm;
  // Nothing: kMemory where some memory of the board has a limit, kSpeed where none has.
  std::optional<Optimize> optimize;
  // The image that the program is for, "embedded" or "harness": only that image's memories must
  // hold it. Empty: those of each image that a board has.
  std::string image;
  // Bytes of an embedded image's code; nothing: the table of the board's toolchain says it.
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
  // refuses it. Else any machine can run it, with references where forms are missing. Nothing: so
  // for boards whose firmware holds the program.
  std::optional<bool> exact_forms;
  // Forms that want scratch memory are left out, but for references. Plans that do not fit with
  // them are made so by themselves.
  bool no_scratch = false;
  // Forms for weights of 4 bits are planned also where these are few: planner/steps/few_halves.h.
  bool few_halves = false;
  OpTable ops;  // the forms to plan with; empty: all of this build
  OverlapPasses overlaps;
  bool names = true;  // sections for people: names of values, and which model nodes a step is
  bool source_map = true;
  // Passes that are left out, by name: planner/passes/switches.h.
  std::vector<std::string> disabled_passes;
  ProgressHook progress;  // told of each method's part; may be empty
  // Narrows what goes to Vulkan further than the shaders' own limits do; null: no further.
  ShaderSupport shader_filter;
  // Names of the models' nodes whose options the report is to explain.
  std::vector<std::string> explained;
};

// Whether the variants for a board are planned for their forms alone.
inline bool has_exact_forms(const PlanOptions& options, const Board& board) {
  return options.exact_forms.value_or(board.has_firmware());
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

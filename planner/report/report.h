// The report of a plan: what it uses and why, for `arenite plan --report` and `--json`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/step_counts.h"
#include "planner/memory/report.h"
#include "planner/place/near_constants.h"
#include "planner/place/shortage.h"
#include "planner/steps/decide/explain.h"
#include "planner/steps/layout/layout.h"
#include "planner/steps/peak/reduction_report.h"

namespace arenite::planner {

struct ArenaReport {
  std::string name;
  uint64_t peak_bytes = 0;
  uint64_t lower_bound_bytes = 0;  // most bytes live in it at one step
};

// Memory that the caller binds to an input or an output (--io caller).
struct LentReport {
  std::string name;  // "input 0"
  uint64_t bytes = 0;
  uint32_t alignment = 1;
};

// An input that is kept between runs.
struct StateReport {
  std::string input;
  std::string output;  // that it becomes at the end of a run; empty: the method only reads it
  uint64_t bytes = 0;  // as many again are the output's, in the arenas
  std::string arena;   // that holds it
  std::vector<std::string> methods = {};  // that share it; empty: it is this one's own
};

// A step as the model's people know it.
struct StepReport {
  std::string name;     // of the model's nodes: "Conv_12+Relu_13"
  std::string op;       // "conv"
  std::string where;    // "cpu", "vulkan", "view" or "transfer"
  bool serial = false;  // on one thread: its output follows the reads of an input
  // By the costs of the board's file; nothing where it has none of the step's form.
  std::optional<double> predicted_us = {};
};

// The tensor in a buffer of the memory report.
struct TensorReport {
  std::string dtype;   // "float32"
  std::string shape;   // "[1, 3, 224, 224]", in the model's order
  std::string layout;  // "channels-last"
  std::string role;  // "input", "state", "output", "scratch", "constant" (copied near), "copy" (of
                     // a transfer) or "result"
  std::vector<uint32_t> written_by, read_by;  // steps, views left out
};

struct VariantReport {
  std::string method, board;
  bool vulkan = false;
  std::string cpu_features;         // that a machine must have: "mve, mve_fp"
  std::string optimize;             // "speed" or "memory"
  std::vector<ArenaReport> arenas;  // those that are used
  std::vector<LentReport> lent;     // empty: inputs and outputs lie in the arenas
  std::vector<StateReport> states;
  memory::MemoryReport memories;      // all, with base and size; steps are the variant's
  std::vector<TensorReport> tensors;  // of memories.buffers
  std::vector<StepReport> step_list;
  std::optional<double> predicted_us;  // of all steps; nothing where one is not predicted
  std::string total_peak_step;         // at which most bytes live: "step 3 (conv, Conv_12)"
  StepCounts counts;
  uint32_t dispatches = 0;
  uint32_t barriers = 0;
  uint32_t stretches = 0;            // of device steps
  uint32_t guarded_stretches = 0;    // those that runs leave out on a condition
  uint32_t condition_transfers = 0;  // by which the CPU gets such conditions
  std::vector<InsertedCopy> copies;
  std::vector<ExplainedStep> explained;  // of PlanOptions::explained
  PeakReport lowering;
  NearConstants near_constants;
  bool reserves_fallback = false;
  uint64_t fallback_bytes = 0;  // what living inputs cost: peaks with less peaks without
};

// An arena that serves all methods, which never run at the same time.
struct SharedArena {
  std::string board;
  bool vulkan = false;
  std::string name;
  uint64_t peak_bytes = 0;
};

// The part of a board's image that lies in one of its program memories.
struct ProgramMemoryReport {
  std::string board, name;
  std::string image;  // "embedded" or "harness"
  uint64_t base = 0, size_bytes = 0;
  uint64_t program_bytes = 0;          // of the program file's part for the board
  uint64_t reserved_bytes = 0;         // the harness's own
  bool holds_code = false;             // of the runtime and the forms that the program names
  std::optional<uint64_t> code_bytes;  // an estimate (planner/board/code_sizes.h); nothing: unknown
  bool code_is_assumed = false;        // the user's number (--assume-code)

  bool is_known() const { return !holds_code || code_bytes.has_value(); }

  uint64_t used_bytes() const {  // the program behind the code starts at a multiple of 64
    const uint64_t code = code_bytes.value_or(0);
    return (program_bytes == 0 ? code : (code + 63) / 64 * 64) + program_bytes + reserved_bytes;
  }
  uint64_t short_bytes() const { return used_bytes() > size_bytes ? used_bytes() - size_bytes : 0; }
  uint64_t free_bytes() const { return size_bytes > used_bytes() ? size_bytes - used_bytes() : 0; }
};

// The part of one memory of its board that firmware which runs the program takes.
struct RamMemory {
  std::string name;
  std::optional<uint64_t> size_bytes;  // nothing: no limit
  uint64_t arenas_bytes = 0;           // one method's, as they never run at the same time
  uint64_t instance_bytes = 0;         // one Instance for each method
  uint64_t bss_bytes = 0;              // else of the runtime
  uint64_t stack_bytes = 0;            // below the calls of a model
  uint64_t states_bytes = 0;           // all methods', kept between runs

  uint64_t used_bytes() const {
    return arenas_bytes + instance_bytes + bss_bytes + stack_bytes + states_bytes;
  }
};

// The same of all memories of a board.
struct RamReport {
  std::string board;
  std::vector<RamMemory> memories;  // those in use, or that hold .bss or the stack
  uint64_t arenas_bytes = 0;
  uint64_t instance_bytes = 0, bss_bytes = 0, states_bytes = 0;
  std::optional<uint64_t> stack_bytes;  // a bound; nothing: not known
  bool stack_is_assumed = false;        // no table says it: a bound of what was measured elsewhere

  // Nothing where part of it is not known.
  std::optional<uint64_t> total_bytes() const {
    if (!stack_bytes.has_value()) return std::nullopt;
    return arenas_bytes + instance_bytes + bss_bytes + states_bytes + *stack_bytes;
  }
};

// Counts of integer steps, and of float steps between quantized values.
struct QuantizedReport {
  uint32_t integer_steps = 0, float_steps = 0;
};

struct PlanReport {
  std::string memory_planner;
  uint64_t bytes = 0;  // of the program file
  uint64_t constant_bytes = 0;
  std::vector<VariantReport> variants;                // in the program's order, never empty
  std::vector<SharedArena> shared;                    // with several methods
  std::vector<ProgramMemoryReport> program_memories;  // of all boards
  std::vector<RamReport> ram;                         // of all boards, in order
  // Memories that are too small. Then no program is written; the figures above are those of the
  // plan as it would be if these memories had no end.
  std::vector<Shortage> shortages;
  std::vector<std::string> notes;            // what was assumed about the models
  std::optional<QuantizedReport> quantized;  // of quantized models
  double seconds = 0;
};

// For people: tables that end in '\n'.
std::string to_text(const PlanReport& report);

// The part of it that explains nodes: what each could be planned for, at which cost, and why not.
std::string explained_text(const PlanReport& report);

// One JSON object (design: `plan --json`). `program` is the file's path, empty where none is
// written.
std::string to_json(const PlanReport& report, const std::string& program);

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

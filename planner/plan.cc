// The planner's one entry: models in, a checked program file and a report out.
#include "planner/plan.h"

#include <algorithm>
#include <chrono>

#include "planner/emit/aligned_program.h"
#include "planner/emit/check.h"
#include "planner/emit/tables.h"
#include "planner/names.h"
#include "planner/place_variants.h"
#include "planner/program_memories.h"
#include "planner/ram.h"
#include "planner/report/shortages.h"
#include "planner/strip.h"
#include "portable_fallback/forms.h"
#include "support/printable.h"

namespace arenite::planner {

Optimize default_optimize(const Board& board) {
  const bool limited = std::any_of(
      board.memories.begin(), board.memories.end(),
      [](const BoardMemory& memory) { return memory.memory.size_bytes != memory::kUnbounded; });
  return limited ? Optimize::kMemory : Optimize::kSpeed;
}

namespace {

class Planner {
 public:
  explicit Planner(const PlanOptions& options)
      : options_(options),
        forms_{.ops = options.ops.empty() ? all_ops() : options.ops, .exact = options.exact_forms},
        passes_(switches_of(options.disabled_passes).peak),
        planning_{options, {}, {}, {}, {}, {}} {
    passes_.in_place = passes_.in_place && options.overlaps.in_place;
    passes_.partial_overlap = passes_.partial_overlap && options.overlaps.partial_overlap;
    passes_.input_copies = passes_.input_copies && !options.caller_io;  // it would be all they take
    passes_.serial_steps = options.overlaps.serial_steps;
    for (const Board& board : options.boards) {
      for (const BoardVariant& variant : board.variants) forms_.features |= variant.cpu_features;
      for (const BoardMemory& memory : board.memories) {
        forms_.alignment = std::min(forms_.alignment, memory.memory.alignment);
      }
    }
  }

  // With shortages, which are no error yet; nothing where the boards, as they are, keep less from
  // arenas than they must: `boards` then keeps enough.
  std::optional<PlanResult> run(const std::vector<NamedGraph>& graphs, std::vector<Board>& boards) {
    check_request(graphs);
    uint64_t variants = 0;
    for (const Board& board : options_.boards) variants += board.variants.size();
    planning_.parts = 2 * variants * graphs.size();
    make_variants(graphs, forms_, passes_, planning_);
    place_variants(planning_);
    if (planning_.methods.size() > 1) add_shared_arenas();
    planning_.report.memory_planner = memory::name_of(options_.memory_planner);
    PlanResult result;
    if (can_be_written()) {
      result.program = write();
      if (planning_.report.shortages.empty()) check_own_program(result.program);
      std::vector<Part> parts;
      std::vector<OwnRam> own;
      for (const Board& board : options_.boards) {
        parts.push_back(part_for(board, result.program));
        own.push_back(own_ram(board, planning_.methods.size(), parts.back().program.forms));
      }
      if (!keep_more(own, boards)) return std::nullopt;
      for (size_t i = 0; i < own.size(); ++i) {
        check_program_memories(options_.boards[i], std::move(parts[i].program));
        add_ram(own[i], options_.boards[i], planning_.report);
      }
    } else {
      for (const Board& board : options_.boards) {
        OwnRam own = own_ram(board, planning_.methods.size(), {});
        own.stack_bytes = std::nullopt;  // which forms there would be nobody knows
        own.stack_is_assumed = false;
        add_ram(own, board, planning_.report);
      }
    }
    show_full_memories();
    result.report = std::move(planning_.report);
    return result;
  }

 private:
  void check_request(const std::vector<NamedGraph>& graphs) const {
    if (graphs.empty()) throw InputError("no model to plan");
    if (options_.boards.empty()) throw InputError("no board to plan for");
    for (size_t i = 0; i < graphs.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        if (graphs[i].method == graphs[k].method) {
          throw InputError("two models give a method the name " + printable(graphs[i].method));
        }
      }
      if (!graphs[i].graph.regions.empty()) {
        throw UnsupportedError("method " + printable(graphs[i].method) +
                               " has conditions or loops, which are not supported");
      }
      if (graphs[i].graph.inputs.size() + graphs[i].graph.outputs.size() > kMaxIo) {
        throw InputError("method " + printable(graphs[i].method) + " has more than " +
                         std::to_string(kMaxIo) + " inputs and outputs");
      }
    }
    for (size_t i = 0; i < options_.boards.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        if (options_.boards[i].name == options_.boards[k].name) {
          throw InputError("board " + options_.boards[i].name + " is given twice");
        }
      }
    }
    for (const memory::Constraint& entry : options_.constraints.entries) {
      const bool known = entry.board.empty() ||
                         std::any_of(options_.boards.begin(), options_.boards.end(),
                                     [&](const Board& board) { return board.name == entry.board; });
      if (!known) {
        throw InputError(memory::where(options_.constraints, entry) + "it is for board " +
                         quote(entry.board) + ", which is not planned for");
      }
    }
  }

  // Offsets are stored in 32 bits: what passes them has no file.
  bool can_be_written() const {
    for (const VariantReport& variant : planning_.report.variants) {
      for (const memory::MemoryUse& use : variant.memories.memories) {
        if (use.peak_bytes > UINT32_MAX) return false;
      }
    }
    return true;
  }

  std::vector<std::byte> write() {
    const ProgramTables tables =
        make_tables(planning_.methods, planning_.pool, {options_.names, options_.source_map});
    for (size_t i = 0; i < planning_.report.variants.size(); ++i) {
      planning_.report.variants[i].dispatches = tables.variants[i].dispatches;
    }
    for (const SectionPayload& section : tables.sections) {
      if (section.kind == format::SectionKind::kConstants) {
        planning_.report.constant_bytes += section.bytes.size();
      }
    }
    std::vector<std::byte> program = write_program(tables);
    planning_.report.bytes = program.size();
    return program;
  }

  // What a device would refuse is a mistake of ours, whatever the model.
  void check_own_program(std::span<const std::byte> file) const {
    bool planned = false;
    try {
      planned = check_program(*AlignedProgram(file), forms_);
    } catch (const InputError& error) {
      throw std::logic_error(std::string("the program cannot be opened: ") + error.what());
    }
    if (!planned) throw std::logic_error("a step does not fit the form it was planned for");
  }

  // A board's part of the program; `stripped` holds its bytes where that is not all.
  struct Part {
    std::vector<std::byte> stripped;
    BoardProgram program;
  };

  Part part_for(const Board& board, std::span<const std::byte> program) const {
    Part part;
    part.program.file = program;
    const bool has_toolchain = !board.toolchain.empty();
    if (options_.boards.size() != 1 && (has_toolchain || !board.program_memories.empty())) {
      part.stripped = strip(program, board.name);
      part.program.file = part.stripped;
    }
    if (has_toolchain) part.program.forms = forms_of(part.program.file);
    return part;
  }

  // Which forms the steps have is known only now, and with it the stack.
  bool keep_more(std::span<const OwnRam> own, std::vector<Board>& boards) const {
    bool enough = true;
    for (size_t i = 0; i < own.size(); ++i) {
      if (is_kept_from_arenas(own[i], options_.boards[i], planning_.report)) continue;
      keep_from_arenas(own[i], boards[i]);
      enough = false;
    }
    return enough;
  }

  void check_program_memories(const Board& board, BoardProgram program) {
    if (board.program_memories.empty()) return;
    program.constants = constants_of(planning_.methods, board.name, planning_.pool);
    add_program_memories(board, {options_.image, options_.assumed_code_bytes}, program,
                         planning_.report);
    for (const ProgramMemoryReport& row : planning_.report.program_memories) {
      if (row.board != board.name || row.is_known()) continue;
      planning_.report.notes.push_back(
          "board " + row.board + ", memory " + quote(row.name) +
          ": code not counted, as no image build has measured the board's toolchain; whether the "
          "firmware fits there is not known (--assume-code BYTES counts so many)");
    }
  }

  // In reports memories have the sizes that the board file gives them.
  void show_full_memories() {
    for (VariantReport& variant : planning_.report.variants) {
      for (const Board& board : options_.boards) {
        if (board.name != variant.board) continue;
        for (size_t m = 0; m < board.memories.size(); ++m) {
          memory::MemoryUse& use = variant.memories.memories[m];
          if (use.limited()) use.size_bytes = board.memories[m].full_bytes();
        }
      }
    }
  }

  // Methods never run at the same time: one arena serves all of them.
  void add_shared_arenas() {
    for (const VariantReport& variant : planning_.report.variants) {
      for (const ArenaReport& arena : variant.arenas) {
        SharedArena shared{variant.board, variant.vulkan, arena.name, arena.peak_bytes};
        const auto same =
            std::find_if(planning_.report.shared.begin(), planning_.report.shared.end(),
                         [&](const SharedArena& known) {
                           return known.board == shared.board && known.vulkan == shared.vulkan &&
                                  known.name == shared.name;
                         });
        if (same == planning_.report.shared.end()) {
          planning_.report.shared.push_back(std::move(shared));
        } else {
          same->peak_bytes = std::max(same->peak_bytes, shared.peak_bytes);
        }
      }
    }
  }

  const PlanOptions& options_;
  TargetForms forms_;
  PeakPasses passes_;
  Planning planning_;
};

}  // namespace

DoesNotFitError::DoesNotFitError(PlanReport figures)
    : std::runtime_error(text_of(figures.shortages)), report(std::move(figures)) {}

PlanResult plan_graphs(const std::vector<NamedGraph>& graphs, const PlanOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  PlanOptions counted = options;
  // What firmware takes with any program, before it is known which this is.
  for (Board& board : counted.boards) {
    keep_from_arenas(own_ram(board, graphs.size(), {}), board);
  }
  std::optional<PlanResult> result;
  while (!result.has_value()) {
    std::vector<Board> boards = counted.boards;
    result = Planner(counted).run(graphs, boards);
    counted.boards = std::move(boards);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  result->report.seconds = seconds.count();
  if (!result->report.shortages.empty()) throw DoesNotFitError(std::move(result->report));
  return *std::move(result);
}

PlanResult plan_models(const std::vector<ModelFile>& models, const PlanOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const PassSwitches switches = switches_of(options.disabled_passes);
  std::vector<NamedGraph> graphs;
  for (const ModelFile& model : models) {
    for (ImportedMethod& method : import_model(model.bytes, model.import)) {
      optimise(method.graph, switches.graph_disabled);
      const std::string name =
          method.name.empty() ? model.method : model.method + "_" + method.name;
      graphs.push_back({name, std::move(method.graph), model.test_vectors});
    }
  }
  PlanResult result = plan_graphs(graphs, options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  result.report.seconds = seconds.count();
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Calls the stages in order: candidates, placing, tables, writing and the loader's own check.
#include "planner/plan.h"

#include <algorithm>
#include <chrono>

#include "planner/graph/half_floats.h"
#include "planner/graph/names.h"
#include "planner/import/import.h"
#include "planner/passes/passes.h"
#include "planner/place/place_variants.h"
#include "planner/place/shared_states.h"
#include "planner/program/aligned_program.h"
#include "planner/program/check.h"
#include "planner/program/dispatch_counts.h"
#include "planner/program/strip.h"
#include "planner/program/tables.h"
#include "planner/report/describe.h"
#include "planner/report/program_memories.h"
#include "planner/report/ram.h"
#include "planner/report/shortages.h"
#include "planner/symbols/symbolic_variants.h"
#include "portable_fallback/forms.h"
#include "support/printable.h"
#include "support/suggest.h"

namespace arenite::planner {

namespace {

class Planner {
 public:
  explicit Planner(const PlanOptions& options)
      : options_(options),
        forms_{.ops = options.ops.empty() ? all_ops() : options.ops,
               .no_scratch = options.no_scratch},
        passes_(switches_of(options.disabled_passes).peak) {
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
    shared_states_ = shared_states(graphs);
    PlanProgress progress(options_, graphs.size());
    std::vector<UnplacedMethod> candidates =
        make_candidates(graphs, options_, forms_, passes_, pool_, progress);
    for (const Board& board : options_.boards) {
      for (const std::string& note : board.notes) report_.notes.push_back(note);
    }
    for (size_t m = 0; m < graphs.size(); ++m) add_notes(graphs[m].graph, candidates[m].notes);
    PlacedMethods placed = place_variants(std::move(candidates), options_, pool_, progress);
    report_.shortages = std::move(placed.shortages);
    if (!shared_states_.empty()) place_shared_states(graphs, placed.variants);
    for (size_t m = 0; m < graphs.size(); ++m) add_method(graphs[m], placed.variants[m]);
    if (methods_.size() > 1) add_shared_arenas();
    report_.memory_planner = memory::name_of(options_.memory_planner);
    PlanResult result;
    if (can_be_written()) {
      result.program = write();
      if (report_.shortages.empty()) check_own_program(result.program);
      std::vector<Part> parts;
      std::vector<OwnRam> own;
      for (const Board& board : options_.boards) {
        parts.push_back(part_for(board, result.program));
        own.push_back(own_ram(board, methods_.size(), states_bytes(board),
                              parts.back().program.forms,
                              instance_room(result.program, board.name)));
      }
      if (!keep_more(own, boards)) return std::nullopt;
      for (size_t i = 0; i < own.size(); ++i) {
        check_program_memories(options_.boards[i], std::move(parts[i].program));
        add_ram(own[i], options_.boards[i], report_);
      }
    } else {
      for (const Board& board : options_.boards) {
        OwnRam own = own_ram(board, methods_.size(), states_bytes(board), {});
        own.stack_bytes = std::nullopt;  // which forms there would be nobody knows
        own.stack_is_assumed = false;
        add_ram(own, board, report_);
      }
    }
    show_full_memories();
    result.report = std::move(report_);
    return result;
  }

 private:
  void add_notes(const Graph& graph, const std::vector<std::string>& left_out) {
    for (const std::string& note : graph.notes) report_.notes.push_back(note);
    if (graph.quantized_steps) add_quantized(*graph.quantized_steps);
    for (const std::string& note : left_out) report_.notes.push_back(note);
  }

  void add_quantized(const QuantizedSteps& steps) {
    if (!report_.quantized) report_.quantized.emplace();
    report_.quantized->integer_steps += steps.integers;
    report_.quantized->float_steps += steps.floats;
    for (const std::string& reason : steps.reasons) {
      report_.notes.push_back("stays float between quantized values: " + reason);
    }
  }

  void add_method(const NamedGraph& named, std::vector<PlacedVariant>& variants) {
    const Graph& graph = named.graph;
    PlannedMethod method;
    method.name = named.method;
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      method.inputs.push_back(graph.input_name(i));
      method.quantization.push_back(graph.values[graph.inputs[i]].quantization);
    }
    for (size_t i = 0; i < graph.outputs.size(); ++i) {
      method.outputs.push_back(graph.output_name(i));
      method.quantization.push_back(graph.values[graph.outputs[i]].quantization);
    }
    for (const GraphState& state : graph.states) {
      method.states.push_back(
          {state.input, state.output, is_shared(state), initial_of(graph, state)});
    }
    method.output_counts = graph.output_counts;
    method.test_vectors = named.test_vectors;
    std::vector<SymbolicSchedule> symbolic = follow_symbols(named, variants);
    for (PlacedVariant& placed : variants) {
      report_.variants.push_back(describe(named, placed));
      add_sharers(graph, report_.variants.back());
      method.variants.push_back(planned(placed));
    }
    for (size_t v = 0; v < symbolic.size(); ++v) {
      method.variants[v].symbolic = std::move(symbolic[v]);
    }
    method.symbols = named.symbols;
    methods_.push_back(std::move(method));
  }

  // Without the Vulkan variants where these do not follow.
  std::vector<SymbolicSchedule> follow_symbols(const NamedGraph& named,
                                               std::vector<PlacedVariant>& variants) {
    const auto is_on_device = [](const PlacedVariant& placed) { return placed.plan.vulkan; };
    const auto on_device = std::ranges::count_if(variants, is_on_device);
    try {
      return symbolic_schedules(named, variants, options_.caller_io, pool_);
    } catch (const InputError& error) {
      if (on_device == 0 || on_device == std::ssize(variants)) throw;
      for (const PlacedVariant& placed : variants) {
        if (placed.plan.vulkan) note_left_out(placed.board->name, named.method, error.what());
      }
      std::erase_if(variants, is_on_device);
      return symbolic_schedules(named, variants, options_.caller_io, pool_);
    }
  }

  void note_left_out(const std::string& board, const std::string& method, const std::string& why) {
    report_.notes.push_back("board " + board + ": method " + printable(method) +
                            ", whose dims callers choose, has no variant for Vulkan: " + why);
  }

  // Leaves out a Vulkan variant, counted over all methods, with a step that no form does at every
  // size. False where it is the method's only one.
  bool leave_out(const SizeError& error) {
    uint32_t first = 0;
    for (PlannedMethod& method : methods_) {
      const size_t count = method.variants.size();
      if (error.variant - first < count) {
        if (count == 1) return false;
        const auto left_out = method.variants.begin() + (error.variant - first);
        note_left_out(left_out->board, method.name, error.what());
        method.variants.erase(left_out);
        report_.variants.erase(report_.variants.begin() + error.variant);
        return true;
      }
      first += static_cast<uint32_t>(count);
    }
    return false;
  }

  ProgramTables all_tables() {
    for (;;) {
      try {
        return make_tables(methods_, pool_, {options_.names, options_.source_map});
      } catch (const SizeError& error) {
        if (!leave_out(error)) throw;
      }
    }
  }

  void add_sharers(const Graph& graph, VariantReport& report) const {
    for (size_t i = 0; i < graph.states.size(); ++i) {
      const auto shared = shared_states_.find(graph.states[i].shared);
      if (shared != shared_states_.end()) report.states[i].methods = shared->second;
    }
  }

  bool is_shared(const GraphState& state) const { return shared_states_.contains(state.shared); }

  // The elements of a state before the first run, as a program stores them: nothing for zeros.
  std::optional<Operand> initial_of(const Graph& graph, const GraphState& state) {
    if (state.initial == nullptr) return std::nullopt;
    const Value& value = graph.values[graph.inputs[state.input]];
    const Strided form = row_major(bounds(value.dims));
    return Operand{
        .constant = true, .index = pool_.add(*state.initial), .dtype = value.dtype, .form = form};
  }

  // Adds up the arenas of states of all methods on the board's CPU, which are one where states are
  // shared.
  uint64_t states_bytes(const Board& board) const {
    uint64_t sum = 0;
    for (const PlannedMethod& method : methods_) {
      uint64_t most = 0;
      for (const PlannedVariant& variant : method.variants) {
        if (variant.board != board.name || variant.plan.vulkan) continue;
        for (const Arena& arena : variant.plan.arenas) {
          if (arena.kind == format::ArenaKind::kState) most = std::max<uint64_t>(most, arena.bytes);
        }
      }
      sum = shared_states_.empty() ? sum + most : std::max(sum, most);
    }
    return sum;
  }

  PlannedVariant planned(PlacedVariant& placed) const {
    const Board& board = *placed.board;
    PlannedVariant variant;
    variant.board = board.name;
    if (placed.plan.vulkan) variant.requirements = *placed.wanted->vulkan;
    if (placed.cpu_features) variant.requirements.cpu_features = *placed.cpu_features;
    variant.threads_max = board.threads_max;
    variant.reserves_fallback = placed.reserves_fallback;
    variant.exact_forms = has_exact_forms(options_, board);
    variant.plan = std::move(placed.plan);
    return variant;
  }

  static void check_explained(const std::vector<NamedGraph>& graphs, const std::string& name) {
    std::vector<std::string> known;
    for (const NamedGraph& named : graphs) {
      const auto is_it = [&](const Node& node) { return is_called(node, name); };
      if (std::ranges::any_of(named.graph.nodes, is_it)) return;
      for (std::string& node : node_names(named.graph)) known.push_back(std::move(node));
    }
    throw InputError("no step does what a node " + quote(name) + " of the models does" +
                     did_you_mean(name, known));
  }

  void check_symbols(const NamedGraph& named) const {
    const std::string method =
        "method " + printable(named.method) + ", whose dims callers choose, ";
    if (options_.near_constants) {
      throw InputError(method +
                       "cannot have --constants near: copies of constants are of one size");
    }
    for (const Symbol& symbol : named.symbols) {
      if (symbol.least <= symbol.most) continue;
      throw InputError(method + "has dim " + printable(symbol.name) + " from " +
                       std::to_string(symbol.least) + " to " + std::to_string(symbol.most) +
                       ": expected no more than the most");
    }
  }

  void check_request(const std::vector<NamedGraph>& graphs) const {
    if (graphs.empty()) throw InputError("no model to plan");
    if (options_.boards.empty()) throw InputError("no board to plan for");
    for (size_t i = 0; i < graphs.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        if (graphs[i].method == graphs[k].method) {
          throw InputError("two models give a method the name " + printable(graphs[i].method));
        }
      }
      if (!graphs[i].symbols.empty()) check_symbols(graphs[i]);
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
    for (const std::string& name : options_.explained) check_explained(graphs, name);
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
    for (const VariantReport& variant : report_.variants) {
      for (const memory::MemoryUse& use : variant.memories.memories) {
        if (use.peak_bytes > UINT32_MAX) return false;
      }
    }
    return true;
  }

  std::vector<std::byte> write() {
    const ProgramTables tables = all_tables();
    for (size_t i = 0; i < report_.variants.size(); ++i) {
      report_.variants[i].dispatches = tables.variants[i].dispatches;
    }
    for (const SectionPayload& section : tables.sections) {
      if (section.kind == format::SectionKind::kConstants) {
        report_.constant_bytes += section.bytes.size();
      }
    }
    std::vector<std::byte> program = write_program(tables);
    report_.bytes = program.size();
    return program;
  }

  // If a device would refuse the program, that is a mistake of ours, whatever the model.
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
    if (has_toolchain) part.program.forms = forms_of(part.program.file, board.cpu_features);
    return part;
  }

  // The forms of the steps are known only now, and with them the stack.
  bool keep_more(std::span<const OwnRam> own, std::vector<Board>& boards) const {
    bool enough = true;
    for (size_t i = 0; i < own.size(); ++i) {
      if (is_kept_from_arenas(own[i], options_.boards[i], report_)) continue;
      keep_from_arenas(own[i], boards[i]);
      enough = false;
    }
    return enough;
  }

  void check_program_memories(const Board& board, BoardProgram program) {
    if (board.program_memories.empty()) return;
    program.constants = constants_of(methods_, board.name, pool_);
    add_program_memories(board, {options_.image, options_.assumed_code_bytes}, program, report_);
    for (const ProgramMemoryReport& row : report_.program_memories) {
      if (row.board != board.name || row.is_known()) continue;
      report_.notes.push_back(
          "board " + row.board + ", memory " + quote(row.name) +
          ": code not counted, as no image build has measured the board's toolchain; whether the "
          "firmware fits there is not known (--assume-code BYTES counts so many)");
    }
  }

  // In reports memories have the sizes that the board file gives them.
  void show_full_memories() {
    for (VariantReport& variant : report_.variants) {
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
    for (const VariantReport& variant : report_.variants) {
      for (const ArenaReport& arena : variant.arenas) {
        SharedArena shared{variant.board, variant.vulkan, arena.name, arena.peak_bytes};
        const auto same = std::find_if(
            report_.shared.begin(), report_.shared.end(), [&](const SharedArena& known) {
              return known.board == shared.board && known.vulkan == shared.vulkan &&
                     known.name == shared.name;
            });
        if (same == report_.shared.end()) {
          report_.shared.push_back(std::move(shared));
        } else {
          same->peak_bytes = std::max(same->peak_bytes, shared.peak_bytes);
        }
      }
    }
  }

  const PlanOptions& options_;
  TargetForms forms_;
  PeakPasses passes_;
  ConstantPool pool_;
  std::vector<PlannedMethod> methods_;
  std::map<std::string, std::vector<std::string>> shared_states_;  // methods by name
  PlanReport report_;
};

}  // namespace

DoesNotFitError::DoesNotFitError(PlanReport figures)
    : std::runtime_error(text_of(figures.shortages)), report(std::move(figures)) {}

namespace {

// Plans until the memories keep enough from arenas for what the program turns out to need.
PlanResult plan_counted(const std::vector<NamedGraph>& graphs, PlanOptions& options) {
  for (;;) {
    std::vector<Board> boards = options.boards;
    std::optional<PlanResult> result = Planner(options).run(graphs, boards);
    options.boards = std::move(boards);
    if (result.has_value()) return *std::move(result);
  }
}

// Finds, for the states of each board, the fastest memory with room beside a plan that knew of
// none; where none has, they are kept from the arenas of the slowest.
void choose_state_memories(const PlanReport& report, size_t methods, uint64_t bytes,
                           std::vector<Board>& boards) {
  for (size_t i = 0; i < boards.size(); ++i) {
    Board& board = boards[i];
    const RamReport& ram = report.ram[i];
    const auto holder = std::ranges::find_if(board.memories, [&](const BoardMemory& memory) {
      const auto row = std::ranges::find(ram.memories, memory.memory.name, &RamMemory::name);
      const uint64_t used = row == ram.memories.end() ? 0 : row->used_bytes();
      return used + ram.states_bytes <= memory.full_bytes();
    });
    if (holder != board.memories.end()) {
      holder->holds_states = true;
    } else if (!hold_states(bytes, board.memories.size(), board)) {
      board.memories.back().holds_states = true;
    }
    keep_from_arenas(own_ram(board, methods, bytes, {}), board);
  }
}

// Moves the states of each board that is short of memory to a faster one. False where none has
// room.
bool move_states(const PlanReport& report, size_t methods, uint64_t bytes,
                 std::vector<Board>& boards) {
  bool moved = false;
  for (Board& board : boards) {
    const auto holder = std::ranges::find_if(board.memories, &BoardMemory::holds_states);
    const bool is_short = std::ranges::any_of(
        report.shortages, [&](const Shortage& one) { return one.board == board.name; });
    if (!is_short || holder == board.memories.end()) continue;
    if (!hold_states(bytes, static_cast<size_t>(holder - board.memories.begin()), board)) continue;
    keep_from_arenas(own_ram(board, methods, bytes, {}), board);
    moved = true;
  }
  return moved;
}

}  // namespace

namespace {

bool is_short(const PlanResult& one) { return !one.report.shortages.empty(); }

// The plan with these forms, states where there is room for them.
PlanResult plan_with_states(const std::vector<NamedGraph>& graphs, const PlanOptions& options) {
  PlanOptions counted = options;
  const uint64_t kept = states_bytes(graphs);
  // Bytes that firmware takes with any program, before it is known which this is.
  for (Board& board : counted.boards) {
    keep_from_arenas(own_ram(board, graphs.size(), 0, {}), board);
  }
  PlanResult result = plan_counted(graphs, counted);
  if (kept != 0) {
    choose_state_memories(result.report, graphs.size(), kept, counted.boards);
    result = plan_counted(graphs, counted);
  }
  std::optional<PlanResult> other;
  for (const PlanResult* last = &result;
       is_short(*last) && move_states(last->report, graphs.size(), kept, counted.boards);
       last = &*other) {
    other = plan_counted(graphs, counted);
  }
  return other.has_value() && !is_short(*other) ? *std::move(other) : std::move(result);
}

bool takes_scratch(const PlanReport& report) {
  return std::ranges::any_of(report.variants, [](const VariantReport& variant) {
    return !variant.vulkan && std::ranges::find(variant.tensors, "scratch", &TensorReport::role) !=
                                  variant.tensors.end();
  });
}

}  // namespace

PlanResult plan_graphs(const std::vector<NamedGraph>& graphs, const PlanOptions& given) {
  const auto start = std::chrono::steady_clock::now();
  PlanOptions options = given;
  const auto with_halves = [](const NamedGraph& named) { return has_halves(named.graph); };
  if (std::ranges::any_of(graphs, with_halves)) {
    for (Board& board : options.boards) add_variants_for_halves(board);
  }
  PlanResult result = plan_with_states(graphs, options);
  if (is_short(result) && !options.no_scratch && takes_scratch(result.report)) {
    PlanOptions less = options;
    less.no_scratch = true;
    PlanResult other = plan_with_states(graphs, less);
    if (!is_short(other)) {
      other.report.notes.push_back(
          "forms that want scratch memory are left out: with them it does not fit");
      result = std::move(other);
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  result.report.seconds = seconds.count();
  if (!result.report.shortages.empty()) throw DoesNotFitError(std::move(result.report));
  return result;
}

PlanResult plan_models(const std::vector<ModelFile>& models, const PlanOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const PassSwitches switches = switches_of(options.disabled_passes);
  std::vector<NamedGraph> graphs;
  for (const ModelFile& model : models) {
    for (ImportedMethod& method : import_model(model.bytes, model.import)) {
      optimize(method.graph, switches.graph_disabled);
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

// The planner's one entry: models in, a checked program file and a report out.
#include "planner/plan.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>

#include "kernels/dispatch/dispatch.h"
#include "planner/describe.h"
#include "planner/emit/aligned_program.h"
#include "planner/emit/check.h"
#include "planner/emit/tables.h"
#include "planner/names.h"
#include "planner/peak/reduction.h"
#include "planner/place/constrain.h"
#include "planner/program_memories.h"
#include "planner/report/shortages.h"
#include "planner/strip.h"
#include "planner/variant/barriers.h"
#include "planner/variant/lifetimes.h"
#include "portable_fallback/forms.h"
#include "support/cpu_features.h"

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
        passes_(switches_of(options.disabled_passes).lowering) {
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

  PlanResult run(const std::vector<NamedGraph>& graphs) {
    const auto start = std::chrono::steady_clock::now();
    check_request(graphs);
    graph_count_ = graphs.size();
    for (const NamedGraph& graph : graphs) add_method(graph);
    place_all();
    if (methods_.size() > 1) add_shared_arenas();
    report_.memory_planner = memory::name_of(options_.memory_planner);
    PlanResult result;
    if (can_be_written()) {
      result.program = write();
      if (report_.shortages.empty() && !check_program(*AlignedProgram(result.program), forms_)) {
        throw std::logic_error("a step does not fit the form it was planned for");
      }
      for (const Board& board : options_.boards) check_program_memories(board, result.program);
    }
    if (!report_.shortages.empty()) throw DoesNotFitError(std::move(report_));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    report_.seconds = seconds.count();
    result.report = std::move(report_);
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
                         in_quotes(entry.board) + ", which is not planned for");
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
    const ProgramTables tables =
        make_tables(methods_, pool_, {options_.names, options_.source_map});
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

  void check_program_memories(const Board& board, std::span<const std::byte> program) {
    if (board.program_memories.empty()) return;
    std::vector<std::byte> part;
    if (options_.boards.size() > 1) {
      part = strip(program, board.name);
      program = part;
    }
    const BoardProgram of_board{program, constants_of(methods_, board.name, pool_)};
    add_program_memories(board, options_.image, of_board, report_);
  }

  // Each variant that may become one is made and placed.
  uint64_t parts() const {
    uint64_t variants = 0;
    for (const Board& board : options_.boards) variants += board.variants.size();
    return 2 * variants * graph_count_;
  }

  void begin(const char* what, const std::string& method, const Board& board) {
    tell(options_.progress, std::string(what) + " " + printable(method) + " for " + board.name,
         parts_done_++, parts());
  }

  void add_method(const NamedGraph& named) {
    PlannedMethod method;
    method.name = named.method;
    const Graph& graph = named.graph;
    for (const ValueId v : graph.inputs) {
      method.inputs.push_back(graph.values[v].name);
      method.quantisation.push_back(graph.values[v].quantisation);
    }
    for (const ValueId v : graph.outputs) {
      method.outputs.push_back(graph.values[v].name);
      method.quantisation.push_back(graph.values[v].quantisation);
    }
    method.test_vectors = named.test_vectors;
    for (const std::string& note : graph.notes) report_.notes.push_back(note);
    layout_by_features_.clear();
    for (const Board& board : options_.boards) {
      for (size_t i = 0; i < board.variants.size(); ++i) add_variant(method, graph, board, i);
    }
    methods_.push_back(std::move(method));
  }

  // The forms that a variant is planned with.
  TargetForms forms_for(CpuFeatures features) const {
    TargetForms forms = forms_;
    forms.features = features;
    return forms;
  }

  // Of the method that is being added. One layout for each set of features: forms differ by them.
  const GraphLayout& layout_for(const Graph& graph, CpuFeatures features) {
    const GraphLayout*& layout = layout_by_features_[features];
    if (layout == nullptr) {
      layouts_.push_back(lay_out_low(graph, forms_for(features), passes_));
      layout = &layouts_.back();
    }
    return *layout;
  }

  ShaderSupport shaders_for(const BoardVariant& variant) const {
    if (!variant.vulkan.has_value()) return {};
    return [this, device = *variant.vulkan](const Step& step) {
      return plan_dispatches(step, device).has_value() &&
             (!options_.shader_filter || options_.shader_filter(step));
    };
  }

  // What of the features the steps' forms need.
  static CpuFeatures used_features(const VariantPlan& plan) {
    CpuFeatures used = 0;
    for (const VariantStep& step : plan.steps) {
      if (step.where == format::Where::kCpu) used |= step.step.forms.chosen()->needs;
    }
    return used;
  }

  // Whether a later variant of the board, for a plainer CPU, would be the very same plan.
  bool comes_again(const Board& board, size_t index, const VariantPlan& plan) {
    const BoardVariant& variant = board.variants[index];
    if (plan.vulkan) return false;
    for (size_t i = index + 1; i < board.variants.size(); ++i) {
      const BoardVariant& later = board.variants[i];
      if (later.vulkan.has_value() || (later.cpu_features & ~variant.cpu_features) != 0 ||
          (used_features(plan) & ~later.cpu_features) != 0) {
        continue;
      }
      report_.notes.push_back("board " + board.name + ": the variant for " +
                              cpu_features_text(variant.cpu_features & ~later.cpu_features) +
                              " is left out: no form that it would use needs them");
      return true;
    }
    return false;
  }

  // What a variant was made from, to make it again.
  struct Origin {
    const GraphLayout* layout = nullptr;
    size_t board_variant = 0;  // index in Board::variants
    BoardVariant wanted;
    TargetForms forms;
    ShaderSupport shaders;
    Optimize optimize = Optimize::kMemory;
    LoweringPasses passes;
    bool changed = false;  // see LoweredVariant
    uint64_t plain_bytes = 0;
  };

  // Nothing is added when there are shaders and none supports any step.
  void add_variant(PlannedMethod& method, const Graph& graph, const Board& board, size_t index) {
    begin("making", method.name, board);
    Origin origin;
    origin.board_variant = index;
    origin.wanted = board.variants[index];
    origin.forms = forms_for(origin.wanted.cpu_features);
    origin.layout = &layout_for(graph, origin.wanted.cpu_features);
    origin.shaders = shaders_for(origin.wanted);
    origin.optimize = options_.optimize.value_or(default_optimize(board));
    origin.passes = passes_for(origin);
    LoweredVariant low =
        lower_variant(*origin.layout, board, origin.forms, pool_, origin.passes, origin.shaders);
    auto plan = plan_of(low, origin);
    if (!plan.has_value() || comes_again(board, index, *plan)) return;
    origin.changed = low.changed;
    origin.plain_bytes = low.plain_bytes;
    PlannedVariant variant;
    variant.board = board.name;
    if (plan->vulkan) variant.requirements = *origin.wanted.vulkan;
    variant.threads_max = board.threads_max;
    variant.reserves_fallback = plan->vulkan && options_.reserve_fallback;
    variant.exact_forms = options_.exact_forms;

    VariantReport report;
    report.method = method.name;
    report.board = board.name;
    report.vulkan = plan->vulkan;
    report.optimize = origin.optimize == Optimize::kSpeed ? "speed" : "memory";
    report.reserves_fallback = variant.reserves_fallback;
    report.copies = std::move(low.lowered.copies);
    report.lowering = std::move(low.report);
    report_.variants.push_back(std::move(report));
    origins_.push_back(std::move(origin));
    variant.plan = std::move(*plan);
    method.variants.push_back(std::move(variant));
  }

  // What saves bytes at the cost of time is left out for speed. On a device nothing does.
  LoweringPasses passes_for(const Origin& origin) const {
    LoweringPasses passes = passes_;
    if (origin.optimize == Optimize::kSpeed && !origin.shaders) {
      passes.partial_overlap = passes.input_copies = passes.serial_steps = false;
    }
    return passes;
  }

  std::optional<VariantPlan> plan_of(const LoweredVariant& low, const Origin& origin) const {
    if (origin.shaders) return vulkan_variant(low.lowered, pool_, low.where, *origin.wanted.vulkan);
    VariantPlan plan = cpu_variant(low.lowered);
    if (options_.caller_io) leave_io_to_caller(plan);
    return plan;
  }

  // The variants of all methods are known: tensors of several may be tied.
  void place_all() {
    for (const Board& board : options_.boards) {
      // The CPU variants of all methods that are of one variant of the board.
      std::map<size_t, std::vector<Unplaced>> on_cpu;
      size_t index = 0;
      for (PlannedMethod& method : methods_) {
        for (PlannedVariant& variant : method.variants) {
          const Unplaced unplaced{&variant, &report_.variants[index], &origins_[index]};
          ++index;
          if (variant.board != board.name) continue;
          if (variant.plan.vulkan) {
            place_alone(unplaced, board, {});
          } else {
            on_cpu[unplaced.origin->board_variant].push_back(unplaced);
          }
        }
      }
      for (const auto& [variant, unplaced] : on_cpu) place_on_cpu(unplaced, board);
    }
  }

  struct Unplaced {
    PlannedVariant* variant = nullptr;
    VariantReport* report = nullptr;
    const Origin* origin = nullptr;
  };

  void place_on_cpu(const std::vector<Unplaced>& variants, const Board& board) {
    std::vector<MethodPlan> methods;
    for (const Unplaced& one : variants)
      methods.push_back({one.report->method, &one.variant->plan});
    const BoardConstraints constraints(options_.constraints, board.name, methods);
    if (!constraints.ties_methods()) {
      for (uint32_t m = 0; m < variants.size(); ++m) {
        place_alone(variants[m], board, constraints.for_method(m));
      }
      return;
    }
    std::vector<PlaceJob> jobs;
    for (const Unplaced& one : variants) jobs.push_back(job_of(one, false));
    std::vector<Placing> placed =
        place_together(jobs, board, options_.memory_planner, constraints.for_all());
    for (size_t m = 0; m < variants.size(); ++m) finish(variants[m], board, std::move(placed[m]));
  }

  // With lifetimes set.
  PlaceJob job_of(const Unplaced& one, bool keep_inputs) {
    VariantPlan& plan = one.variant->plan;
    set_lifetimes(plan, keep_inputs);
    return {&plan,
            "method " + printable(one.report->method) + ", board " + one.report->board +
                (plan.vulkan ? " (Vulkan)" : ""),
            find_overlaps(plan, pool_, one.origin->passes.overlaps(), keep_inputs)};
  }

  Placing placed(const Unplaced& one, const Board& board, bool keep_inputs,
                 const Constrain& constrain) {
    const PlaceJob job = job_of(one, keep_inputs);
    return place_together({&job, 1}, board, options_.memory_planner, constrain).front();
  }

  struct Places {
    Placing placed;
    uint64_t fallback_bytes = 0;

    uint64_t peak_sum_bytes() const { return placed.memories.peak_sum_bytes; }
    bool fits() const { return !placed.shortage; }
    bool better_than(const Places& other) const {
      if (fits() != other.fits()) return fits();
      if (!fits()) return placed.shortage->short_bytes < other.placed.shortage->short_bytes;
      return peak_sum_bytes() < other.peak_sum_bytes();
    }
  };

  Places place_as_it_is(const Unplaced& one, const Board& board, const Constrain& constrain) {
    const bool reserves = one.variant->reserves_fallback;
    const uint64_t without =
        reserves ? placed(one, board, false, constrain).memories.peak_sum_bytes : uint64_t{0};
    Places places{placed(one, board, reserves, constrain), 0};
    const uint64_t with = places.peak_sum_bytes();
    places.fallback_bytes = reserves && with > without ? with - without : 0;
    return places;
  }

  void place_alone(const Unplaced& one, const Board& board, const Constrain& constrain) {
    begin("placing", one.report->method, board);
    Places places = place_as_it_is(one, board, constrain);
    // Fewer bytes live at once, but do they take less? What a user says of tensors is about these.
    if (one.origin->changed &&
        (!places.fits() || places.peak_sum_bytes() > one.origin->plain_bytes) &&
        options_.constraints.entries.empty()) {
      place_plain(one, board, places);
    }
    one.report->fallback_bytes = places.fallback_bytes;
    if (options_.near_constants && !one.variant->plan.vulkan && places.fits()) {
      bring_constants_near(one, board, places.placed.memories);
    }
    finish(one, board, std::move(places.placed));
  }

  // What was placed stays where it is, the copies beside it.
  void bring_constants_near(const Unplaced& one, const Board& board,
                            memory::MemoryReport& memories) {
    VariantPlan& plan = one.variant->plan;
    const memory::Memory& first = board.memories.front().memory;
    if (first.size_bytes == memory::kUnbounded) return;
    const size_t before = plan.residents.size();
    NearConstants near = copy_constants_near(plan, first.name, first.size_bytes, first.alignment,
                                             pool_, one.origin->forms);
    if (near.copies == 0) return;
    std::vector<std::optional<memory::Placement>> places(plan.residents.size());
    for (size_t i = 0; i < before; ++i) {
      const Resident& resident = plan.residents[i];
      if (resident.kind == format::ArenaKind::kCaller) continue;
      for (uint32_t m = 0; m < board.memories.size(); ++m) {
        if (board.memories[m].memory.name == plan.arenas[resident.arena].name) {
          places[i] = {m, resident.offset};
        }
      }
    }
    for (size_t i = before; i < places.size(); ++i) places[i] = {0, near.offsets[i - before]};
    const Constrain fixed{[&places](memory::Problem& problem, std::span<const uint32_t> /*first*/) {
                            for (size_t k = 0; k < places.size(); ++k)
                              problem.buffers[k].fixed = places[k];
                          },
                          ""};
    memory::MemoryReport with = place_as_fixed(job_of(one, false), board, fixed).memories;
    for (memory::PlacedBuffer& buffer : with.buffers) buffer.fixed = false;  // by no user
    for (size_t i = 0; i < before; ++i) {
      with.buffers[i].fixed = memories.buffers[i].fixed;
      with.buffers[i].relative = memories.buffers[i].relative;
    }
    memories = std::move(with);
    one.report->near_constants = std::move(near);
  }

  // What is proved of a shortage must hold of both ways to lay the steps out.
  static void agree(Shortage& a, Shortage& b) {
    const bool same = a.memory == b.memory;
    const bool proved = same && a.least_is_proved && b.least_is_proved;
    a.floor_bytes = b.floor_bytes = same ? std::min(a.floor_bytes, b.floor_bytes) : 0;
    a.impossible = b.impossible = a.impossible && b.impossible;
    a.least_is_proved = proved && a.least_bytes <= b.least_bytes;
    b.least_is_proved = proved && b.least_bytes <= a.least_bytes;
  }

  // Takes the steps in their native layout and order instead where that takes less.
  void place_plain(const Unplaced& one, const Board& board, Places& places) {
    const Origin& origin = *one.origin;
    LoweringPasses passes = origin.passes;
    passes.concat_in_place = passes.order = passes.input_copies = false;
    LoweredVariant low =
        lower_variant(*origin.layout, board, origin.forms, pool_, passes, origin.shaders);
    auto plan = plan_of(low, origin);
    if (!plan.has_value()) return;
    std::swap(one.variant->plan, *plan);
    Places other = place_as_it_is(one, board, {});
    if (!places.fits() && !other.fits()) {
      agree(*places.placed.shortage, *other.placed.shortage);
    }
    if (!other.better_than(places)) {
      std::swap(one.variant->plan, *plan);
      return;
    }
    places = std::move(other);
    for (LoweringEffect& effect : low.report.effects) {
      for (const LoweringPass& pass : lowering_passes()) {
        if (effect.pass == pass.name) effect.enabled = origin.passes.*pass.enabled;
      }
    }
    one.report->lowering = std::move(low.report);
    one.report->copies = std::move(low.lowered.copies);
  }

  // A machine without what the forms of the board's last variant need runs it with references.
  void require_features(const Unplaced& one, const Board& board) {
    const bool last = one.origin->board_variant + 1 == board.variants.size();
    if (last && !options_.exact_forms) return;
    const CpuFeatures needed = used_features(one.variant->plan);
    one.variant->requirements.cpu_features = needed;
    one.report->cpu_features = cpu_features_text(needed);
  }

  void finish(const Unplaced& one, const Board& board, Placing placed) {
    const VariantPlan& plan = one.variant->plan;
    require_features(one, board);
    set_barriers(one.variant->plan);
    one.report->memories = std::move(placed.memories);
    if (placed.shortage) report_.shortages.push_back(std::move(*placed.shortage));
    LoweringReport& lowering = one.report->lowering;
    const LoweringPasses& passes = one.origin->passes;
    lowering.final_bytes = one.report->memories.peak_sum_bytes;
    for (const OverlapPermission& permission :
         find_overlaps(plan, pool_, passes.overlaps(), one.variant->reserves_fallback)) {
      const auto distance = shared_distance(plan, permission);
      if (!distance.has_value()) continue;
      const bool in_place = permission.in_place &&
                            (*distance == permission.overlap.lead_bytes || !passes.partial_overlap);
      for (LoweringEffect& effect : lowering.effects) {
        if (effect.pass == (in_place ? "in_place" : "partial_overlap")) ++effect.places;
      }
    }
    describe(plan, *one.report);
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
  LoweringPasses passes_;
  std::deque<GraphLayout> layouts_;
  std::map<CpuFeatures, const GraphLayout*> layout_by_features_;  // of the method being added
  std::vector<Origin> origins_;                                   // by variant, as reports
  ConstantPool pool_;
  std::vector<PlannedMethod> methods_;
  PlanReport report_;
  uint64_t graph_count_ = 0, parts_done_ = 0;  // for progress
};

}  // namespace

DoesNotFitError::DoesNotFitError(PlanReport figures)
    : std::runtime_error(text_of(figures.shortages)), report(std::move(figures)) {}

PlanResult plan_graphs(const std::vector<NamedGraph>& graphs, const PlanOptions& options) {
  return Planner(options).run(graphs);
}

PlanResult plan_models(const std::vector<ModelFile>& models, const PlanOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const PassSwitches switches = switches_of(options.disabled_passes);
  std::vector<NamedGraph> graphs;
  for (const ModelFile& model : models) {
    Graph graph = import_onnx(model.bytes, model.import);
    optimise(graph, switches.graph_disabled);
    graphs.push_back({model.method, std::move(graph), model.test_vectors});
  }
  PlanResult result = plan_graphs(graphs, options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  result.report.seconds = seconds.count();
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

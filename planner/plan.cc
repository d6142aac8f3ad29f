// The planner's one entry: models in, a checked program file and a report out.
#include "planner/plan.h"

#include <chrono>

#include "kernels/dispatch/dispatch.h"
#include "planner/emit/aligned_program.h"
#include "planner/emit/check.h"
#include "planner/emit/tables.h"
#include "planner/names.h"
#include "planner/schedule/barriers.h"
#include "planner/schedule/lifetimes.h"
#include "portable_fallback/kernels.h"

namespace arenite::planner {
namespace {

class Planner {
 public:
  explicit Planner(const PlanOptions& options) : options_(options) {}

  PlanResult run(const std::vector<NamedGraph>& graphs) {
    const auto start = std::chrono::steady_clock::now();
    check_request(graphs);
    for (const NamedGraph& graph : graphs) add_method(graph);
    const ProgramTables tables =
        make_tables(methods_, pool_, {options_.names, options_.source_map});
    PlanResult result;
    result.program = write_program(tables);
    check_program(*AlignedProgram(result.program));
    for (size_t i = 0; i < report_.variants.size(); ++i) {
      report_.variants[i].dispatches = tables.variants[i].dispatches;
    }
    for (const SectionPayload& section : tables.sections) {
      if (section.kind == format::SectionKind::kConstants) {
        report_.constant_bytes += section.bytes.size();
      }
    }
    report_.bytes = result.program.size();
    report_.memory_planner = memory::name_of(options_.memory_planner);
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
  }

  void add_method(const NamedGraph& named) {
    PlannedMethod method;
    method.name = named.method;
    const Graph& graph = named.graph;
    for (const ValueId v : graph.inputs) method.inputs.push_back(graph.values[v].name);
    for (const ValueId v : graph.outputs) method.outputs.push_back(graph.values[v].name);
    method.test_vectors = named.test_vectors;
    for (const std::string& note : graph.notes) report_.notes.push_back(note);
    for (const Board& board : options_.boards) {
      const Lowered lowered = lower(graph, board, all_kernels(), pool_);
      if (board.vulkan.has_value()) {
        const uint32_t range =
            board.vulkan->numbers[static_cast<uint32_t>(Capability::kStorageBufferBytes)];
        auto plan = vulkan_variant(lowered, pool_, [this, range](const Step& step) {
          return vulkan_supports(step, range) &&
                 (!options_.shader_filter || options_.shader_filter(step));
        });
        if (plan.has_value()) add_variant(method, board, lowered, std::move(*plan));
      }
      VariantPlan plan = cpu_variant(lowered);
      if (options_.caller_io) leave_io_to_caller(plan);
      add_variant(method, board, lowered, std::move(plan));
    }
    methods_.push_back(std::move(method));
  }

  void add_variant(PlannedMethod& method, const Board& board, const Lowered& lowered,
                   VariantPlan plan) {
    PlannedVariant variant;
    variant.board = board.name;
    if (board.vulkan.has_value()) variant.requirements = *board.vulkan;
    variant.threads_max = board.threads_max;
    variant.reserves_fallback = plan.vulkan && options_.reserve_fallback;

    const std::string title = "method " + printable(method.name) + ", board " + board.name +
                              (plan.vulkan ? " (Vulkan)" : "");
    VariantReport report;
    if (variant.reserves_fallback) {
      set_lifetimes(plan, false);
      report.fallback_bytes =
          place(plan, board, options_.memory_planner, title,
                find_overlaps(plan, pool_, all_kernels(), options_.overlaps, false))
              .peak_sum_bytes;
    }
    set_lifetimes(plan, variant.reserves_fallback);
    report.memories = place(
        plan, board, options_.memory_planner, title,
        find_overlaps(plan, pool_, all_kernels(), options_.overlaps, variant.reserves_fallback));
    if (variant.reserves_fallback) {
      const uint64_t with = report.memories.peak_sum_bytes;
      report.fallback_bytes = with > report.fallback_bytes ? with - report.fallback_bytes : 0;
    }
    set_barriers(plan);

    report.method = method.name;
    report.board = board.name;
    report.vulkan = plan.vulkan;
    report.reserves_fallback = variant.reserves_fallback;
    report.copies = lowered.copies;
    describe(plan, report);
    report_.variants.push_back(std::move(report));
    variant.plan = std::move(plan);
    method.variants.push_back(std::move(variant));
  }

  static void describe(const VariantPlan& plan, VariantReport& report) {
    for (const memory::MemoryUse& use : report.memories.memories) {
      for (const Arena& arena : plan.arenas) {
        if (arena.name != use.name) continue;
        report.arenas.push_back({use.name, use.peak_bytes, use.lower_bound_bytes});
      }
    }
    for (const Arena& arena : plan.arenas) {
      if (arena.kind != format::ArenaKind::kCaller) continue;
      report.lent.push_back({arena.name, arena.bytes, arena.alignment});
    }
    for (uint32_t s = 0; s < plan.steps.size(); ++s) {
      report.step_names.push_back(step_text(plan, s));
    }
    report.total_peak_step = step_text(plan, report.memories.total_peak_step);
    for (const VariantStep& step : plan.steps) {
      report.view_steps += step.where == format::Where::kView ? 1 : 0;
      report.vulkan_steps += step.where == format::Where::kVulkan ? 1 : 0;
      report.cpu_steps += step.where == format::Where::kCpu ? 1 : 0;
      report.transfers += step.where == format::Where::kTransfer ? 1 : 0;
      report.barriers += step.barrier_before ? 1 : 0;
    }
    report.steps = report.view_steps + report.vulkan_steps + report.cpu_steps;
  }

  const PlanOptions& options_;
  ConstantPool pool_;
  std::vector<PlannedMethod> methods_;
  PlanReport report_;
};

}  // namespace

PlanResult plan_graphs(const std::vector<NamedGraph>& graphs, const PlanOptions& options) {
  return Planner(options).run(graphs);
}

PlanResult plan_models(const std::vector<ModelFile>& models, const PlanOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<NamedGraph> graphs;
  for (const ModelFile& model : models) {
    Graph graph = import_onnx(model.bytes, model.import);
    optimise(graph);
    graphs.push_back({model.method, std::move(graph), model.test_vectors});
  }
  PlanResult result = plan_graphs(graphs, options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  result.report.seconds = seconds.count();
  return result;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

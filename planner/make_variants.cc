// Makes the variants of each method: steps with layouts, orders and machines, not yet a place.
#include "planner/make_variants.h"

#include "kernels/dispatch/dispatch.h"
#include "planner/names.h"
#include "support/cpu_features.h"

namespace arenite::planner {
namespace {

class VariantMaker {
 public:
  VariantMaker(const TargetForms& forms, const PeakPasses& passes, Planning& planning)
      : options_(planning.options), forms_(forms), passes_(passes), planning_(planning) {}

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
    if (!graph.input_names.empty()) method.inputs = graph.input_names;
    if (!graph.output_names.empty()) method.outputs = graph.output_names;
    method.test_vectors = named.test_vectors;
    for (const std::string& note : graph.notes) planning_.report.notes.push_back(note);
    if (graph.quantised_steps) add_quantised(*graph.quantised_steps);
    layout_by_features_.clear();
    for (const Board& board : options_.boards) {
      for (size_t i = 0; i < board.variants.size(); ++i) add_variant(method, graph, board, i);
    }
    planning_.methods.push_back(std::move(method));
  }

 private:
  void add_quantised(const QuantisedSteps& steps) {
    PlanReport& report = planning_.report;
    if (!report.quantised) report.quantised.emplace();
    report.quantised->integer_steps += steps.integers;
    report.quantised->float_steps += steps.floats;
    for (const std::string& reason : steps.reasons) {
      report.notes.push_back("stays float between quantised values: " + reason);
    }
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
      planning_.layouts.push_back(lay_out_parts(graph, forms_for(features), passes_));
      layout = &planning_.layouts.back();
    }
    return *layout;
  }

  ShaderSupport shaders_for(const BoardVariant& variant) const {
    if (!variant.vulkan.has_value()) return {};
    return [&options = options_, device = *variant.vulkan](const Step& step) {
      return plan_dispatches(step, device).has_value() &&
             (!options.shader_filter || options.shader_filter(step));
    };
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
      planning_.report.notes.push_back(
          "board " + board.name + ": the variant for " +
          cpu_features_text(variant.cpu_features & ~later.cpu_features) +
          " is left out: no form that it would use needs them");
      return true;
    }
    return false;
  }

  // Nothing is added when there are shaders and none supports any step.
  void add_variant(PlannedMethod& method, const Graph& graph, const Board& board, size_t index) {
    planning_.begin("making", method.name, board);
    VariantOrigin origin;
    origin.board_variant = index;
    origin.wanted = board.variants[index];
    origin.forms = forms_for(origin.wanted.cpu_features);
    origin.layout = &layout_for(graph, origin.wanted.cpu_features);
    origin.shaders = shaders_for(origin.wanted);
    origin.optimize = options_.optimize.value_or(default_optimize(board));
    origin.passes = passes_for(origin);
    ReducedVariant low = reduce_peak(*origin.layout, board, origin.forms, planning_.pool,
                                     origin.passes, origin.shaders);
    auto plan = plan_of(low, origin, planning_);
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
    planning_.report.variants.push_back(std::move(report));
    planning_.origins.push_back(std::move(origin));
    variant.plan = std::move(*plan);
    method.variants.push_back(std::move(variant));
  }

  // What saves bytes at the cost of time is left out for speed. On a device nothing does.
  PeakPasses passes_for(const VariantOrigin& origin) const {
    PeakPasses passes = passes_;
    if (origin.optimize == Optimize::kSpeed && !origin.shaders) {
      passes.partial_overlap = passes.input_copies = passes.serial_steps = false;
    }
    return passes;
  }

  const PlanOptions& options_;
  const TargetForms& forms_;
  const PeakPasses& passes_;
  Planning& planning_;
  std::map<CpuFeatures, const GraphLayout*> layout_by_features_;  // of the method being added
};

}  // namespace

void Planning::begin(const char* what, const std::string& method, const Board& board) {
  tell(options.progress, std::string(what) + " " + printable(method) + " for " + board.name,
       parts_done++, parts);
}

void make_variants(const std::vector<NamedGraph>& graphs, const TargetForms& forms,
                   const PeakPasses& passes, Planning& planning) {
  VariantMaker maker(forms, passes, planning);
  for (const NamedGraph& graph : graphs) maker.add_method(graph);
}

std::optional<VariantPlan> plan_of(const ReducedVariant& low, const VariantOrigin& origin,
                                   const Planning& planning) {
  if (origin.shaders) {
    return vulkan_variant(low.lowered, planning.pool, low.where, *origin.wanted.vulkan);
  }
  VariantPlan plan = cpu_variant(low.lowered);
  if (planning.options.caller_io) leave_io_to_caller(plan);
  return plan;
}

CpuFeatures used_features(const VariantPlan& plan) {
  CpuFeatures used = 0;
  for (const VariantStep& step : plan.steps) {
    if (step.where == format::Where::kCpu) used |= step.step.forms.chosen()->needs;
  }
  return used;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

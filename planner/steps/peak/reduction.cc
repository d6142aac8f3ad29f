// Measures the layouts and orders of a variant by the bytes that live in them, and takes the
// lowest.
#include "planner/steps/peak/reduction.h"

#include <algorithm>

#include "planner/graph/names.h"
#include "planner/steps/layout/input_copies.h"
#include "planner/steps/layout/pixel_copies.h"
#include "planner/steps/peak/order_steps.h"
#include "planner/steps/variant/lifetimes.h"
#include "support/cpu_features.h"

namespace arenite::planner {
namespace {

// A layout as steps in some order.
struct Candidate {
  LaidGraph laid;
  Schedule schedule;
  std::vector<ExplainedStep> explained;
  StepRecipe recipe;
  uint32_t nodes_in_place = 0;
  uint32_t moved_steps = 0;  // by the order
  uint32_t input_copies = 0;
  uint64_t native_bytes = 0;  // most live in the native order, no bytes shared
  uint64_t live_bytes = 0;    // most live in this order, with the bytes that may be shared
};

constexpr OverlapPasses kNoOverlaps{false, false, false};

// Bytes that a step needs less when its output shares what it may with the input.
uint64_t saved_bytes(const Schedule& schedule, const memory::Overlap& overlap) {
  return memory::saved_bytes_max(schedule.storages[overlap.input].bytes,
                                 schedule.storages[overlap.output].bytes, overlap.lead_bytes);
}

void put_in_order(const std::vector<uint32_t>& order, Schedule& schedule) {
  std::vector<ScheduledStep> steps;
  for (const uint32_t s : order) steps.push_back(std::move(schedule.steps[s]));
  schedule.steps = std::move(steps);
}

class PeakReduction {
 public:
  PeakReduction(const GraphLayout& layout, const Target& target, ConstantPool& pool,
                const PeakPasses& passes)
      : layout_(layout), target_(target), pool_(pool), passes_(passes) {}

  ReducedVariant run() {
    Candidate plain = measured(lowered(layout_.laid));
    ReducedVariant result;
    result.plain_bytes = plain.live_bytes;
    Candidate best = with_order(plain);
    if (passes_.concat_in_place && !layout_.parts_in_place.empty()) {
      Candidate in_place = with_order(measured(with_parts_in_place()));
      if (in_place.live_bytes <= bytes_for_parts(best)) best = std::move(in_place);
      result.plain_bytes = std::max(result.plain_bytes, best.live_bytes);
    }
    PeakReport effects = report(best, plain.native_bytes);
    PeakReport plain_effects = report(plain, plain.native_bytes);
    if (passes_.input_copies && passes_.copies_for_bytes) {
      best = with_free_pixels(with_input_copies(std::move(best)));
    } else if (passes_.input_copies) {
      best = with_pixel_copies(std::move(best));
      if (best.input_copies != 0) best = with_order(std::move(best));
      plain = with_pixel_copies(std::move(plain));
      result.plain_bytes = std::max({result.plain_bytes, best.live_bytes, plain.live_bytes});
    }
    const bool changed = best.nodes_in_place != 0 || best.moved_steps != 0 ||
                         best.input_copies != plain.input_copies;
    result.low = steps_of(std::move(best), std::move(effects));
    if (changed) result.plain = steps_of(std::move(plain), std::move(plain_effects));
    return result;
  }

 private:
  // As many bytes as may live where parts are written in place instead.
  uint64_t bytes_for_parts(const Candidate& apart) const {
    return passes_.parts_for_bytes ? apart.live_bytes : apart.live_bytes + apart.live_bytes / 4;
  }

  ReducedSteps steps_of(Candidate candidate, PeakReport effects) const {
    add_effect(effects, "input_copies", passes_.input_copies, candidate.input_copies,
               candidate.live_bytes);
    return {std::move(candidate.schedule), std::move(effects), std::move(candidate.explained),
            std::move(candidate.recipe)};
  }

  Candidate lowered(const LaidGraph& laid) {
    Candidate candidate;
    candidate.laid = laid;
    Decided decided = decide(*layout_.graph, laid, target_, pool_);
    candidate.schedule = std::move(decided.schedule);
    candidate.explained = std::move(decided.explained);
    for (const ScheduledStep& step : candidate.schedule.steps) {
      candidate.recipe.forms.push_back(step.forms.chosen());
      candidate.recipe.machines.push_back(step.where);
    }
    return candidate;
  }

  Candidate measured(Candidate candidate) const {
    candidate.native_bytes = live_bytes(candidate, kNoOverlaps);
    candidate.live_bytes = live_bytes(candidate, overlap_passes(passes_));
    return candidate;
  }

  // The steps as tasks, with what they save when outputs overlap inputs that die.
  StepTasks tasks_with_savings(const Candidate& candidate, const OverlapPasses& passes,
                               StepOrder order = StepOrder::kPlanned) const {
    StepTasks tasks = tasks_of(candidate.schedule);
    if (!passes.in_place && !passes.partial_overlap) return tasks;
    Schedule schedule = candidate.schedule;
    set_lifetimes(schedule, false);
    std::vector<std::vector<StepSaving>> savings(schedule.steps.size());
    for (const OverlapPermission& permission :
         find_overlaps(schedule, pool_, passes, false, order)) {
      const memory::Overlap& overlap = permission.overlap;
      savings[permission.step].push_back(
          {overlap.input, overlap.output, saved_bytes(candidate.schedule, overlap)});
    }
    for (size_t t = 0; t < tasks.steps.size(); ++t) {
      tasks.problem.tasks[t].savings = std::move(savings[tasks.steps[t]]);
    }
    return tasks;
  }

  uint64_t live_bytes(const Candidate& candidate, const OverlapPasses& passes) const {
    const StepTasks tasks = tasks_with_savings(candidate, passes);
    return peak_of(tasks.problem, native_order(tasks));
  }

  static std::vector<uint32_t> native_order(const StepTasks& tasks) {
    std::vector<uint32_t> order(tasks.steps.size());
    for (uint32_t t = 0; t < order.size(); ++t) order[t] = t;
    return order;
  }

  // In the best order found, when fewer bytes live in it.
  Candidate with_order(Candidate candidate) const {
    if (!passes_.order) return candidate;
    const StepTasks tasks = tasks_with_savings(candidate, overlap_passes(passes_), StepOrder::kAny);
    const TaskOrder order = lowest_peak_order(tasks.problem);
    if (order.tasks == native_order(tasks)) return candidate;
    Candidate result = candidate;
    result.recipe.order = steps_in_order(candidate.schedule, tasks, order.tasks);
    put_in_order(result.recipe.order, result.schedule);
    for (uint32_t t = 0; t < order.tasks.size(); ++t) {
      result.moved_steps += order.tasks[t] != t ? 1u : 0u;
    }
    // Other inputs die at other steps now.
    result.live_bytes = live_bytes(result, overlap_passes(passes_));
    return result.live_bytes < candidate.live_bytes ? result : candidate;
  }

  // Leaves out the nodes whose parts a device cannot write in place.
  Candidate with_parts_in_place() {
    std::vector<uint32_t> nodes = layout_.parts_in_place;
    while (true) {
      const PartsInPlace parts = place_parts(*layout_.graph, layout_.laid, nodes, target_.forms);
      Candidate candidate = lowered(parts.laid);
      candidate.nodes_in_place = parts.nodes;
      candidate.recipe.parts_in_place = nodes;
      if (!target_.shaders) return candidate;
      const std::vector<uint32_t> bad = storages_shared_badly(candidate.schedule, target_.any_size);
      if (bad.empty()) return candidate;
      for (const uint32_t storage : bad) {
        for (const uint32_t n : parts.joined[storage]) std::erase(nodes, n);
      }
    }
  }

  // With inputs copied first, when fewer bytes live then.
  Candidate with_input_copies(Candidate best) {
    const InputCopies copies = copy_inputs_to_channels_last(best.laid);
    if (copies.copies == 0) return best;
    Candidate copied = lowered(copies.laid);
    if (target_.shaders && !storages_shared_badly(copied.schedule, target_.any_size).empty())
      return best;
    copied.nodes_in_place = best.nodes_in_place;
    copied.input_copies = copies.copies;
    copied = with_order(measured(std::move(copied)));
    return copied.live_bytes < best.live_bytes ? copied : best;
  }

  bool has_any(CpuFeatures features) const { return (target_.forms.features & features) != 0; }

  // With planes copied where forms take pixels in much less time.
  Candidate with_pixel_copies(Candidate candidate, bool results = true) {
    const bool on_host = has_any(cpu_features::kF32x4);
    const PixelGains gains = {
        .floats = on_host,
        .depthwise = on_host || has_any(cpu_features::kFpu | cpu_features::kMveFp),
        .images_of_bytes = !target_.shaders,
        .results = results,
        .stores_bytes = on_host || has_any(cpu_features::kMve)};
    const PixelCopies copies = copy_planes_to_pixels(candidate.laid, gains);
    if (copies.copies == 0) return candidate;
    Candidate copied = lowered(copies.laid);
    copied.nodes_in_place = candidate.nodes_in_place;
    copied.input_copies = candidate.input_copies + copies.copies;
    return measured(std::move(copied));
  }

  // The same if no more bytes live then: of all planes, or of those that are read.
  Candidate with_free_pixels(Candidate best) {
    if (target_.shaders) return best;
    for (const bool results : {true, false}) {
      Candidate copied = with_pixel_copies(best, results);
      if (copied.input_copies == best.input_copies) break;
      copied = with_order(std::move(copied));
      if (copied.live_bytes <= best.live_bytes) return copied;
    }
    return best;
  }

  static void add_effect(PeakReport& report, const char* name, bool enabled, uint32_t places,
                         uint64_t now) {
    const uint64_t before =
        report.effects.empty() ? report.native_bytes : report.effects.back().live_bytes;
    report.effects.push_back(
        {name, enabled, places, now, static_cast<int64_t>(before) - static_cast<int64_t>(now)});
  }

  PeakReport report(const Candidate& chosen, uint64_t native_bytes) const {
    PeakReport report;
    report.baseline_bytes = baseline_live_bytes(*layout_.graph);
    report.native_bytes = native_bytes;
    const auto live_with = [&](const OverlapPasses& passes) { return live_bytes(chosen, passes); };
    add_effect(report, "concat_in_place", passes_.concat_in_place, chosen.nodes_in_place,
               chosen.native_bytes);
    add_effect(report, "order", passes_.order, chosen.moved_steps, live_with(kNoOverlaps));
    add_effect(report, "in_place", passes_.in_place, 0,
               live_with({passes_.in_place, false, passes_.serial_steps, passes_.moving_parts}));
    add_effect(report, "partial_overlap", passes_.partial_overlap, 0, chosen.live_bytes);
    return report;
  }

  const GraphLayout& layout_;
  const Target& target_;
  ConstantPool& pool_;
  const PeakPasses passes_;
};

}  // namespace

OverlapPasses overlap_passes(const PeakPasses& passes) {
  return {passes.in_place, passes.partial_overlap, passes.serial_steps, passes.moving_parts};
}

uint64_t baseline_live_bytes(const Graph& graph) {
  std::vector<ValueId> root(graph.values.size());
  for (ValueId v = 0; v < root.size(); ++v) root[v] = v;
  OrderProblem problem;
  problem.storages.resize(graph.values.size());
  std::vector<uint32_t> order;
  for (const Node& node : graph.nodes) {
    const LayoutClass kind = contract_of(node.op).layout.kind;
    const bool view = kind == LayoutClass::kView || kind == LayoutClass::kViewOrFollows;
    if (view) root[node.outputs[0]] = root[node.inputs[0]];
    OrderTask task;
    for (const auto* values : {&node.inputs, &node.outputs}) {
      for (const ValueId v : *values) {
        if (v != kNoValue && graph.values[v].constant == nullptr) task.touches.push_back(root[v]);
      }
    }
    std::sort(task.touches.begin(), task.touches.end());
    task.touches.erase(std::unique(task.touches.begin(), task.touches.end()), task.touches.end());
    if (view) task.touches.clear();
    order.push_back(static_cast<uint32_t>(order.size()));
    problem.tasks.push_back(std::move(task));
  }
  for (ValueId v = 0; v < root.size(); ++v) {
    if (root[v] == v && graph.values[v].constant == nullptr) {
      problem.storages[v].bytes = graph.values[v].dense_bytes();
    }
  }
  for (const ValueId v : graph.inputs) problem.storages[v].from_start = true;
  for (const ValueId v : graph.outputs) problem.storages[root[v]].to_end = true;
  return peak_of(problem, order);
}

GraphLayout lay_out_parts(const Graph& graph, const TargetForms& forms, const PeakPasses& passes) {
  GraphLayout layout{&graph, lay_out(graph, forms), {}};
  if (passes.concat_in_place) {
    layout.parts_in_place = choose_parts(graph, layout.laid, nodes_with_parts(layout.laid), forms,
                                         passes.parts_for_bytes);
  }
  return layout;
}

ReducedVariant reduce_peak(const GraphLayout& layout, const Target& target, ConstantPool& pool,
                           const PeakPasses& passes) {
  return PeakReduction(layout, target, pool, passes).run();
}

Schedule remade_steps(const Graph& graph, const StepRecipe& recipe, Target target,
                      ConstantPool& pool) {
  LaidGraph laid = lay_out(graph, target.forms);
  const std::vector<uint32_t> with_parts = nodes_with_parts(laid);
  for (const uint32_t n : recipe.parts_in_place) {
    if (!std::ranges::binary_search(with_parts, n)) {
      throw InputError("other nodes would be concatenations");
    }
  }
  if (!recipe.parts_in_place.empty()) {
    laid = place_parts(graph, laid, recipe.parts_in_place, target.forms).laid;
  }
  target.given_forms = recipe.forms;
  target.given_machines = recipe.machines;
  Schedule schedule = decide(graph, laid, target, pool).schedule;
  if (schedule.steps.size() != recipe.forms.size())
    throw InputError("the number of steps would be another");
  if (!recipe.order.empty()) put_in_order(recipe.order, schedule);
  return schedule;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Collects arenas, steps and tensors of a placed variant, with the model's names and shapes.
#include "planner/report/describe.h"

#include <algorithm>
#include <set>

#include "planner/graph/names.h"
#include "planner/place/place.h"
#include "planner/steps/decide/costs.h"
#include "planner/steps/layout/layout.h"
#include "support/cpu_features.h"

namespace arenite::planner {
namespace {

using format::Where;

void add_arenas(const Schedule& plan, VariantReport& report) {
  for (const memory::MemoryUse& use : report.memories.memories) {
    for (const Arena& arena : plan.arenas) {
      if (arena.name != use.name || arena.kind == format::ArenaKind::kState) continue;
      report.arenas.push_back({use.name, use.peak_bytes, use.lower_bound_bytes});
    }
  }
  for (const Arena& arena : plan.arenas) {
    if (arena.kind != format::ArenaKind::kCaller) continue;
    report.lent.push_back({arena.name, arena.bytes, arena.alignment});
  }
}

void add_states(const Graph& graph, const Schedule& plan, VariantReport& report) {
  for (const GraphState& state : graph.states) {
    const Storage& storage = plan.storages[plan.inputs[state.input]];
    const bool only_read = state.output == kNoIndex;
    report.states.push_back({graph.input_name(state.input),
                             only_read ? "" : graph.output_name(state.output), storage.bytes,
                             plan.arenas[storage.arena].name});
  }
}

void count_steps(const Schedule& plan, VariantReport& report) {
  for (const ScheduledStep& step : plan.steps) {
    report.counts.add(step.where);
    report.barriers += step.barrier_before ? 1 : 0;
  }
}

// Counts the stretches of device steps, and those whose steps have a condition in common.
void count_stretches(const Schedule& plan, VariantReport& report) {
  std::set<uint32_t> read;  // conditions
  const auto is_on_device = [&](size_t s) {
    return s < plan.steps.size() && plan.steps[s].where != Where::kCpu;
  };
  for (size_t first = 0; first < plan.steps.size();) {
    if (plan.steps[first].is_view() || !is_on_device(first)) {
      ++first;
      continue;
    }
    std::vector<StepCondition> common = plan.steps[first].conditions;
    size_t end = first + 1;
    for (; is_on_device(end) && !plan.steps[end].begins_stretch; ++end) {
      if (plan.steps[end].is_view()) continue;
      std::erase_if(common, [&](const StepCondition& condition) {
        return !std::ranges::count(plan.steps[end].conditions, condition);
      });
    }
    ++report.stretches;
    report.guarded_stretches += common.empty() ? 0u : 1u;
    for (const StepCondition& condition : common) read.insert(condition.storage);
    first = end;
  }
  for (const ScheduledStep& step : plan.steps) {
    if (step.where != Where::kTransfer) continue;
    report.condition_transfers += read.contains(step.outputs[0]->index) ? 1u : 0u;
  }
}

void add_once(std::vector<uint32_t>& steps, uint32_t step) {
  if (steps.empty() || steps.back() != step) steps.push_back(step);
}

bool copies_a_constant(const ScheduledStep& step) {
  const auto& inputs = step.inputs;
  return step.op == Op::kCopy && !inputs.empty() && inputs[0].has_value() && inputs[0]->constant;
}

// In the order in which the roles below win over each other.
void add_roles(const Schedule& plan, std::vector<TensorReport>& tensors) {
  for (const ScheduledStep& step : plan.steps) {
    if (step.scratch.has_value()) tensors[*step.scratch].role = "scratch";
    for (const std::optional<Operand>& output : step.outputs) {
      if (!output.has_value() || output->constant) continue;
      if (step.where == Where::kTransfer) tensors[output->index].role = "copy";
      if (copies_a_constant(step)) tensors[output->index].role = "constant";
    }
  }
  for (const uint32_t storage : plan.outputs) tensors[storage].role = "output";
  for (const uint32_t storage : plan.inputs) {
    const bool state = plan.storages[storage].kind == format::ArenaKind::kState;
    tensors[storage].role = state ? "state" : "input";
  }
}

void add_tensors(const Schedule& plan, VariantReport& report) {
  for (const Storage& storage : plan.storages) {
    TensorReport tensor;
    tensor.dtype = dtype_name(storage.dtype);
    tensor.shape = dims_text(std::span<const uint32_t>(storage.form.dims));
    tensor.layout = layout_name(storage.form);
    tensor.role = "result";
    report.tensors.push_back(std::move(tensor));
  }
  add_roles(plan, report.tensors);
  for (uint32_t s = 0; s < plan.steps.size(); ++s) {
    const ScheduledStep& step = plan.steps[s];
    if (step.where == Where::kView) continue;
    for (const std::optional<Operand>& input : step.inputs) {
      if (input.has_value() && !input->constant) add_once(report.tensors[input->index].read_by, s);
    }
    for (const std::optional<Operand>& output : step.outputs) {
      if (output.has_value() && !output->constant) {
        add_once(report.tensors[output->index].written_by, s);
      }
    }
    if (step.scratch.has_value()) add_once(report.tensors[*step.scratch].written_by, s);
  }
}

// A step's time by the board's costs. A transfer's is known where the file has costs at all.
std::optional<double> predicted_us(const StepCosts& costs, const Schedule& plan,
                                   const ScheduledStep& step) {
  constexpr double kPicosecondsInMicrosecond = 1e6;
  if (step.is_view()) return 0;
  if (costs.empty()) return std::nullopt;
  if (step.where == Where::kTransfer) {
    const uint64_t bytes = plan.storages[step.outputs[0]->index].bytes;
    return static_cast<double>(measured(costs.transfer, bytes)) / kPicosecondsInMicrosecond;
  }
  const MeasuredCost* cost = find_cost(costs, option_name(*step.forms.chosen(), step.where), step);
  if (cost == nullptr) return std::nullopt;
  return static_cast<double>(measured(*cost, step)) / kPicosecondsInMicrosecond;
}

std::optional<double> sum_of_predictions(const std::vector<StepReport>& steps) {
  double sum = 0;
  for (const StepReport& step : steps) {
    if (!step.predicted_us) return std::nullopt;
    sum += *step.predicted_us;
  }
  return sum;
}

}  // namespace

VariantReport describe(const NamedGraph& method, const PlacedVariant& placed) {
  const Schedule& plan = placed.plan;
  VariantReport report;
  report.method = method.method;
  report.board = placed.board->name;
  report.vulkan = plan.vulkan;
  if (placed.cpu_features.has_value()) {
    report.cpu_features = cpu_features_text(*placed.cpu_features);
  }
  report.optimize = placed.optimize == Optimize::kSpeed ? "speed" : "memory";
  report.reserves_fallback = placed.reserves_fallback;
  report.fallback_bytes = placed.fallback_bytes;
  report.memories = placed.memories;
  report.lowering = placed.lowering;
  report.copies = placed.plan.copies;
  report.explained = placed.explained;
  report.near_constants = placed.near_constants;
  add_arenas(plan, report);
  add_states(method.graph, plan, report);
  for (const ScheduledStep& step : plan.steps) {
    report.step_list.push_back({printable(step.name), op_name(step.op), text_of(step.where),
                                step.serial, predicted_us(placed.board->costs, plan, step)});
  }
  report.predicted_us = sum_of_predictions(report.step_list);
  report.total_peak_step = step_text(plan, report.memories.total_peak_step);
  count_steps(plan, report);
  count_stretches(plan, report);
  add_tensors(plan, report);
  return report;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

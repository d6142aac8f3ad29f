// Gives each operand a storage or a constant of the pool, and each storage the bytes that its steps
// need.
#include "planner/steps/lower/lower.h"

#include <algorithm>

#include "core/assert.h"
#include "core/shape.h"
#include "planner/graph/names.h"
#include "planner/steps/layout/parts.h"
#include "planner/steps/lower/conditions.h"
#include "planner/steps/lower/packing.h"
#include "planner/steps/lower/probe.h"

namespace arenite::planner {
namespace {

constexpr uint64_t kBytesMax = UINT32_MAX;  // offsets and sizes are stored in 32 bits

void check_sizes(const Graph& graph) {
  for (const Value& value : graph.values) {
    uint64_t count = 1;
    for (const uint32_t dim : bounds(value.dims)) {
      count *= std::max(dim, 1u);
      if (count > kMaxElements || count * element_bytes(value.dtype) > kBytesMax) {
        throw InputError("value " + printable(value.name) + " of dims " + dims_text(value.dims) +
                         " is too large: expected at most " + std::to_string(kMaxElements) +
                         " elements in 4 GiB");
      }
    }
  }
}

// Whether each operand lies in a storage that there is, or is a constant that there is.
[[maybe_unused]] bool has_places(const Graph& graph, const LaidGraph& laid) {
  const size_t constants = graph.values.size() + laid.constants.size();
  const auto is_placed = [&](const std::optional<Operand>& at) {
    return !at || (at->constant ? at->index < constants &&
                                      constant_of(graph, laid, at->index).constant != nullptr
                                : at->index < laid.schedule.storages.size());
  };
  return std::ranges::all_of(laid.nodes, [&](const LaidNode& node) {
    return std::ranges::all_of(node.inputs, is_placed) &&
           std::ranges::all_of(node.outputs, is_placed);
  });
}

void take_step_operands(ScheduledStep& step) {
  const auto forms = [](const std::vector<std::optional<Operand>>& operands) {
    std::vector<std::optional<Strided>> result;
    result.reserve(operands.size());
    for (const std::optional<Operand>& operand : operands) {
      result.push_back(operand.has_value() ? std::optional(operand->form) : std::nullopt);
    }
    return result;
  };
  StepOperands operands = step_operands(step.op, forms(step.inputs), forms(step.outputs));
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    if (step.inputs[i].has_value()) step.inputs[i]->form = std::move(*operands.inputs[i]);
  }
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    if (step.outputs[i].has_value()) step.outputs[i]->form = std::move(*operands.outputs[i]);
  }
}

class Lowering {
 public:
  Lowering(const Schedule& laid, uint32_t threads_max, ConstantPool& pool)
      : threads_max_(threads_max), pool_(pool), result_(laid) {}

  Schedule run(std::vector<ScheduledStep> steps) {
    for (ScheduledStep& step : steps) {
      if (!step.is_view()) ask_forms(step);
    }
    result_.steps = std::move(steps);
    return std::move(result_);
  }

 private:
  void ask_forms(ScheduledStep& step) {
    const uint32_t over_read = step.forms.over_read_bytes();
    for (std::optional<Operand>& operand : step.inputs) {
      if (!operand.has_value()) continue;
      operand->over_read_bytes = over_read;
      if (operand->constant) {
        pool_.need_over_read(operand->index, over_read);
      } else {
        need_bytes(*operand);
      }
    }
    for (const std::optional<Operand>& operand : step.outputs) {
      if (operand.has_value() && !operand->constant) need_bytes(*operand);
    }
    const Probe probe(step, pool_);
    const uint64_t scratch = step.forms.scratch_bytes(probe.step(), threads_max_);
    if (scratch > kBytesMax) {
      throw InputError("node " + printable(step.name) + " takes more than 4 GiB of scratch memory");
    }
    step.scratch_bytes = static_cast<uint32_t>(scratch);
  }

  // A storage is as long as what lies in it.
  void need_bytes(const Operand& operand) {
    Storage& storage = result_.storages[operand.index];
    const uint64_t end =
        operand.form.offset * element_bytes(operand.dtype) + operand_bytes(operand, pool_);
    storage.bytes = std::max(storage.bytes, end);
    if (storage.bytes > kBytesMax) {
      throw InputError("value " + printable(storage.name) + " takes more than 4 GiB");
    }
  }

  const uint32_t threads_max_;
  ConstantPool& pool_;
  Schedule result_;
};

}  // namespace

StepMaker::StepMaker(const Graph& graph, const LaidGraph& laid, ConstantPool& pool)
    : graph_(graph), laid_(laid), pool_(pool) {
  check_sizes(graph);
  ARENITE_ASSERT(has_places(graph, laid));
}

// Replaces the graph's constant by the pool's, laid out for this use.
void StepMaker::store_constant(const LaidNode& laid, size_t i, const Packings& packings,
                               Operand& operand) {
  const Value& value = constant_of(graph_, laid_, operand.index);
  PackedConstant packed = pack_constant(laid.node, static_cast<uint32_t>(i), *value.constant,
                                        operand.dtype, operand.form, packings);
  operand.index = pool_.add(std::move(packed.bytes));
  pool_.set_name(operand.index, value.name, bounds(value.dims));
  operand.form = std::move(packed.form);
}

ScheduledStep StepMaker::make(const LaidNode& laid, const Packings& packings) {
  ScheduledStep step;
  step.op = laid.node.op;
  if (laid.view) step.where = format::Where::kView;
  step.name = node_name(laid.node);
  step.sources = laid.node.sources;
  for (size_t i = 0; i < laid.inputs.size(); ++i) {
    step.inputs.emplace_back();
    if (!laid.inputs[i].has_value()) continue;
    Operand operand = *laid.inputs[i];
    if (operand.constant) store_constant(laid, i, packings, operand);
    step.inputs[i] = std::move(operand);
  }
  step.outputs = laid.outputs;
  step.attributes = laid.node.attributes;
  if (!step.is_view()) take_step_operands(step);
  return step;
}

Schedule lower(const LaidGraph& laid, std::vector<ScheduledStep> steps, uint32_t threads_max,
               ConstantPool& pool) {
  Schedule schedule = Lowering(laid.schedule, threads_max, pool).run(std::move(steps));
  set_conditions(schedule);
  return schedule;
}

ScheduledStep copy_step(const Operand& from, const Operand& to, const TargetForms& forms) {
  ScheduledStep step;
  step.op = Op::kCopy;
  step.inputs = {from};
  step.outputs = {to};
  // Both lie in one order, which the reference moves as fast as any form.
  const Form* const reference = candidate_forms(forms, step.op, from.dtype).back();
  step.forms = {reference, forms.exact ? nullptr : reference};
  return step;
}

uint64_t operand_bytes(const Operand& operand, const ConstantPool& pool) {
  const uint64_t element = element_bytes(operand.dtype);
  if (operand.constant) {
    const StoredConstant& constant = pool.entries()[operand.index];
    return constant.bytes.size() + constant.over_read_bytes - operand.form.offset * element;
  }
  if (operand.packed_bytes != 0) return operand.packed_bytes;
  const uint64_t span = span_elements(operand.form) * element;
  return span == 0 ? 0 : span + operand.over_read_bytes;
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

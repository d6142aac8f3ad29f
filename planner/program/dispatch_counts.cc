// Emits each dispatch for the least device that is allowed, and counts what it asks for.
#include "planner/program/dispatch_counts.h"

#include <map>
#include <set>
#include <stdexcept>

#include "kernels/dispatch/dispatch.h"
#include "planner/graph/graph.h"

namespace arenite::planner {
namespace {

struct Counts {
  uint32_t dispatches = 0;
  uint64_t parameter_bytes = 0;
  std::map<uint32_t, uint32_t> sets;          // by layout
  std::set<std::vector<uint32_t>> pipelines;  // shader, then its constants
};

Status count(void* context, const Dispatch& dispatch) {
  Counts& counts = *static_cast<Counts*>(context);
  ++counts.dispatches;
  counts.parameter_bytes += parameter_block_bytes(dispatch.parameter_count);
  ++counts.sets[layout_word(dispatch.buffer_count, dispatch.parameter_count != 0)];
  std::vector<uint32_t> pipeline{static_cast<uint32_t>(dispatch.shader)};
  pipeline.insert(pipeline.end(), dispatch.spec, dispatch.spec + dispatch.spec_count);
  counts.pipelines.insert(std::move(pipeline));
  return ok_status();
}

// The least device that the variant is for.
Capabilities required(const ProgramTables& tables, const format::VariantRecord& variant) {
  Capabilities device;
  for (uint32_t i = 0; i < variant.requirement_count; ++i) {
    const format::RequirementRecord& r = tables.requirements[variant.requirement_first + i];
    if (r.id < kCapabilityCount) device.numbers[r.id] = r.minimum;
  }
  return device;
}

}  // namespace

void count_dispatches(ProgramTables& tables, uint32_t variant_index) {
  format::VariantRecord& variant = tables.variants[variant_index];
  Bindings bindings;
  bindings.values = tables.values.data() + variant.value_first;
  bindings.shapes = tables.shapes.data();
  bindings.operands = tables.operands.data();
  bindings.attributes = tables.attributes.data();
  bindings.constants = tables.constants.data();

  Counts counts;
  for (uint32_t i = 0; i < variant.step_count; ++i) {
    format::StepRecord& record = tables.steps[variant.step_first + i];
    if (record.where != static_cast<uint8_t>(format::Where::kVulkan)) continue;
    const Step step(bindings, record, i);
    if (!is_carried_out(step)) {
      const auto plan = plan_dispatches(step, required(tables, variant));
      if (plan.has_value()) {
        record.form = plan->form;
        record.choice = plan->choice;
      }
    }
    const uint32_t before = counts.dispatches;
    const Status status = emit_dispatches(step, {&counts, count});
    const uint32_t added = counts.dispatches - before;
    if (!status.ok() || added > UINT16_MAX) {
      throw std::logic_error("step " + std::to_string(i) + " has no dispatches to record");
    }
    record.dispatches = static_cast<uint16_t>(added);
  }
  variant.dispatches = counts.dispatches;
  variant.pipelines = static_cast<uint32_t>(counts.pipelines.size());
  if (counts.parameter_bytes > UINT32_MAX) throw InputError("parameters take more than 4 GiB");
  variant.parameter_bytes = static_cast<uint32_t>(counts.parameter_bytes);
  variant.descriptor_set_count = static_cast<uint32_t>(counts.sets.size());
  for (const auto& [layout, sets] : counts.sets) tables.descriptor_sets.push_back({layout, sets});
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Emits each dispatch for the least device that is allowed, at one size after another, and counts
// what it asks for.
#include "planner/program/dispatch_counts.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "core/symbols.h"
#include "kernels/dispatch/dispatch.h"
#include "kernels/dispatch/rules.h"
#include "kernels/dispatch/twins.h"
#include "planner/graph/names.h"

namespace arenite::planner {
namespace {

using Pipelines = std::set<std::vector<uint32_t>>;  // shader, then its constants

// Counts for one size.
struct Counts {
  uint32_t dispatches = 0;
  uint64_t parameter_bytes = 0;
  std::map<uint32_t, uint32_t> sets;  // by layout
  Pipelines pipelines;
};

Status count(void* context, const Dispatch& dispatch) {
  Counts& counts = *static_cast<Counts*>(context);
  ++counts.dispatches;
  counts.parameter_bytes += parameter_block_bytes(dispatch.parameter_count);
  ++counts.sets[layout_word(dispatch.buffer_count, dispatch.parameter_count != 0,
                            dispatch.uniform_count)];
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

bool is_on_device(const format::StepRecord& step) {
  return step.where == static_cast<uint8_t>(format::Where::kVulkan);
}

// The tables of a variant as its steps see them at one size after another.
class SizedTables {
 public:
  SizedTables(const ProgramTables& tables, uint32_t variant_index)
      : tables_(tables), variant_(tables.variants[variant_index]) {
    bindings_.values = tables.values.data() + variant_.value_first;
    bindings_.shapes = tables.shapes.data();
    bindings_.operands = tables.operands.data();
    bindings_.attributes = tables.attributes.data();
    bindings_.constants = tables.constants.data();
    for (const format::SymbolicVariantRecord& record : tables.symbolic_variants) {
      if (record.variant == variant_index) symbolic_ = &record;
    }
    if (symbolic_ == nullptr) return;
    shapes_ = tables.shapes;
    attributes_ = tables.attributes;
    values_.assign(bindings_.values, bindings_.values + variant_.value_count);
    bindings_.shapes = shapes_.data();
    bindings_.attributes = attributes_.data();
    bindings_.values = values_.data();
  }
  SizedTables(const SizedTables&) = delete;
  SizedTables& operator=(const SizedTables&) = delete;

  bool follows_symbols() const { return symbolic_ != nullptr; }
  const Bindings& bindings() const { return bindings_; }

  // False where an expression has no result.
  bool set(const SymbolNumbers& numbers) {
    if (symbolic_ == nullptr) return true;
    results_.resize(symbolic_->expression_count);
    for (uint32_t i = 0; i < symbolic_->expression_count; ++i) {
      const format::ExpressionRecord& e = tables_.expressions[symbolic_->expression_first + i];
      results_[i] = result_of(e, numbers.data(), results_.data());
      if (results_[i] == kNoIndex) return false;
    }
    for (uint32_t i = 0; i < symbolic_->patch_count; ++i) {
      const format::PatchRecord& patch = tables_.patches[symbolic_->patch_first + i];
      word(patch) = results_[patch.expression];
    }
    return true;
  }

 private:
  uint32_t& word(const format::PatchRecord& patch) {
    switch (static_cast<format::PatchTarget>(patch.target)) {
      case format::PatchTarget::kShape:
        return shapes_[patch.index];
      case format::PatchTarget::kAttribute:
        return attributes_[patch.index];
      case format::PatchTarget::kValueOffset:
        break;
    }
    return values_[patch.index].offset;
  }

  const ProgramTables& tables_;
  const format::VariantRecord& variant_;
  const format::SymbolicVariantRecord* symbolic_ = nullptr;
  Bindings bindings_;
  std::vector<uint32_t> shapes_, attributes_, results_;
  std::vector<format::ValueRecord> values_;
};

class DispatchCounter {
 public:
  DispatchCounter(ProgramTables& tables, uint32_t variant_index, const std::vector<Symbol>& symbols)
      : tables_(tables),
        index_(variant_index),
        variant_(tables.variants[variant_index]),
        symbols_(symbols),
        sized_(tables, variant_index),
        sizes_(1) {
    for (const Symbol& symbol : symbols) sizes_.front().push_back(symbol.most);
    if (!sized_.follows_symbols()) return;
    for (SymbolNumbers& numbers : spread_numbers(symbols, kProvedSizesMax)) {
      if (sized_.set(numbers)) sizes_.push_back(std::move(numbers));
    }
  }

  void run() {
    for (uint32_t i = 0; i < variant_.step_count; ++i) {
      if (is_on_device(record(i))) choose_form(i);
    }
    // A step may get another form at some size: what has been counted then was of its form before.
    while (!add_sizes()) {
    }
    store();
  }

 private:
  format::StepRecord& record(uint32_t step) { return tables_.steps[variant_.step_first + step]; }
  Step step(uint32_t i) { return Step(sized_.bindings(), record(i), i); }

  // For the most, a step has another form where its values lie so that its own does not take it.
  void choose_form(uint32_t i) {
    sized_.set(sizes_.front());
    if (is_carried_out(step(i))) return;
    const auto plan = plan_dispatches(step(i), required(tables_, variant_));
    if (!plan.has_value()) return;
    record(i).form = plan->form;
    record(i).choice = plan->choice;
  }

  // A step that its form does not do at some size: the best that does it at all, with the scratch
  // memory that is there.
  void choose_form_for_sizes(uint32_t i, const SymbolNumbers& numbers) {
    const Capabilities device = required(tables_, variant_);
    for (const DispatchRow& row : rows_of(step(i).op())) {
      if (missing_need(shader_of(row, step(i)), device) != nullptr) continue;
      for (uint32_t choice = 0; choice < row.choices; ++choice) {
        record(i).form = row.form;
        record(i).choice = choice;
        const bool fits = std::ranges::all_of(sizes_, [&](const SymbolNumbers& size) {
          return sized_.set(size) && is_carried_out(step(i));
        });
        if (fits) return;
      }
    }
    const auto op = static_cast<Op>(record(i).op);
    throw SizeError(index_, "no shader does step " + std::to_string(i) + " (" + op_name(op) +
                                ") at every size: expected one that does it with " +
                                symbols_text(symbols_, numbers) + " too");
  }

  // False where a step got another form.
  bool add_sizes() {
    for (uint32_t i = 0; i < variant_.step_count; ++i) record(i).dispatches = 0;
    parameter_bytes_ = 0;
    sets_.clear();
    pipelines_.clear();
    return std::ranges::all_of(sizes_, [&](const SymbolNumbers& size) { return add_size(size); });
  }

  bool add_size(const SymbolNumbers& numbers) {
    sized_.set(numbers);
    Counts counts;
    for (uint32_t i = 0; i < variant_.step_count; ++i) {
      if (!is_on_device(record(i))) continue;
      if (sized_.follows_symbols() && !is_carried_out(step(i))) {
        choose_form_for_sizes(i, numbers);
        return false;
      }
      const uint32_t before = counts.dispatches;
      const Status status = emit_dispatches(step(i), {&counts, count});
      const uint32_t added = counts.dispatches - before;
      if (!status.ok() || added > UINT16_MAX) {
        throw std::logic_error("step " + std::to_string(i) + " has no dispatches to record");
      }
      record(i).dispatches = std::max(record(i).dispatches, static_cast<uint16_t>(added));
    }
    parameter_bytes_ = std::max(parameter_bytes_, counts.parameter_bytes);
    for (const auto& [layout, sets] : counts.sets) sets_[layout] = std::max(sets_[layout], sets);
    pipelines_.merge(counts.pipelines);
    return true;
  }

  // Whether no size within the bounds is left out.
  bool has_all_sizes() const {
    uint64_t count = 1;
    for (const Symbol& symbol : symbols_) {
      count = std::min<uint64_t>(count * (uint64_t{symbol.most} - symbol.least + 1), UINT32_MAX);
    }
    return count <= kProvedSizesMax;
  }

  void store() {
    uint64_t dispatches = 0;
    for (uint32_t i = 0; i < variant_.step_count; ++i) dispatches += record(i).dispatches;
    uint64_t pipelines = pipelines_.size();
    if (sized_.follows_symbols()) {
      // Sizes that have not been looked at may need one for each dispatch.
      if (!has_all_sizes()) pipelines = std::max(pipelines, dispatches);
      pipelines = std::min(pipelines, kPipelinesADispatchMax * dispatches);
    }
    variant_.dispatches = static_cast<uint32_t>(dispatches);
    variant_.pipelines = static_cast<uint32_t>(pipelines);
    if (parameter_bytes_ > UINT32_MAX) throw InputError("parameters take more than 4 GiB");
    variant_.parameter_bytes = static_cast<uint32_t>(parameter_bytes_);
    variant_.descriptor_set_count = static_cast<uint32_t>(sets_.size());
    for (const auto& [layout, sets] : sets_) tables_.descriptor_sets.push_back({layout, sets});
  }

  ProgramTables& tables_;
  const uint32_t index_;
  format::VariantRecord& variant_;
  const std::vector<Symbol>& symbols_;
  SizedTables sized_;
  std::vector<SymbolNumbers> sizes_;  // the most first
  uint64_t parameter_bytes_ = 0;
  std::map<uint32_t, uint32_t> sets_;
  Pipelines pipelines_;
};

}  // namespace

void count_dispatches(ProgramTables& tables, uint32_t variant, const std::vector<Symbol>& symbols) {
  DispatchCounter(tables, variant, symbols).run();
}

Status check_dispatch_counts(const BackendTask& task) {
  const format::VariantRecord& variant = *task.variant;
  const auto steps = task.program->steps_of(variant);
  Counts counts;
  for (uint32_t i = 0; i < steps.size(); ++i) {
    if (!is_on_device(steps[i])) continue;
    const uint32_t before = counts.dispatches;
    Status status = emit_dispatches(Step(*task.bindings, steps[i], i), {&counts, count});
    if (status.ok() && counts.dispatches - before > steps[i].dispatches) {
      status = error(Code::kBadStep);
    }
    if (!status.ok()) {
      status.step = i;
      return status;
    }
  }
  if (counts.dispatches > variant.dispatches) return error(Code::kBadPlan, 0);
  if (counts.pipelines.size() > variant.pipelines) return error(Code::kBadPlan, 1);
  if (counts.parameter_bytes > variant.parameter_bytes) return error(Code::kBadPlan, 2);
  for (const format::DescriptorSetRecord& sets : task.program->descriptor_sets_of(variant)) {
    if (counts.sets[sets.layout] > sets.count) return error(Code::kBadPlan, 3);
    counts.sets.erase(sets.layout);
  }
  return counts.sets.empty() ? ok_status() : error(Code::kBadPlan, 3);
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0

// Filters an operator's forms by type, CPU features and alignment: the best first, references last.
#include "planner/graph/target_forms.h"

#include <algorithm>
#include <stdexcept>

#include "ops/contracts.h"
#include "planner/graph/graph.h"
#include "planner/graph/names.h"
#include "planner/graph/op_facts.h"
#include "support/cpu_features.h"

namespace arenite::planner {

const Contract& contract_of(Op op) {
  const Contract* contract = find_contract(op);
  if (contract == nullptr) throw std::logic_error(op_name(op) + " has no contract");
  return *contract;
}

DType type_of(const Contract& contract, std::span<const DType> inputs,
              std::span<const DType> outputs) {
  const auto find = [](std::span<const DType> types, std::span<const OperandType> rules) {
    for (size_t i = 0; i < types.size(); ++i) {
      if (types[i] != DType::kNone && rules[std::min(i, rules.size() - 1)] == OperandType::kT) {
        return types[i];
      }
    }
    return DType::kNone;
  };
  const DType type = find(inputs, contract.inputs);
  return type != DType::kNone ? type : find(outputs, contract.outputs);
}

uint32_t StepForms::alignment() const {
  uint32_t alignment = 1;
  each([&](const Form& form) { alignment = std::max<uint32_t>(alignment, form.alignment); });
  return alignment;
}

uint32_t StepForms::over_read_bytes() const {
  uint32_t bytes = 0;
  each([&](const Form& form) { bytes = std::max<uint32_t>(bytes, form.over_read_bytes); });
  return bytes;
}

bool StepForms::in_place(uint32_t input) const {
  bool in_place = true;
  each([&](const Form& form) {
    const bool elementwise = contract_of(form.op).layout.kind == LayoutClass::kElementwise;
    in_place = in_place && (elementwise || takes_place(form, input));
  });
  return in_place;
}

uint64_t StepForms::scratch_bytes(const Step& step, uint32_t threads) const {
  uint64_t bytes = 0;
  each([&](const Form& form) {
    if (form.scratch == nullptr) return;
    bytes = std::max(bytes, arenite::scratch_bytes(form.scratch(step), threads));
  });
  return bytes;
}

uint64_t StepForms::safe_distance(const Step& step, uint32_t input) const {
  uint64_t distance = 0;
  each([&](const Form& form) {
    const bool none = form.safe_distance == nullptr;
    distance = std::max(distance, none ? kNoOverlap : form.safe_distance(step, input));
  });
  return distance;
}

namespace {

// Vectors that compilers make of plain loops: with them references are as fast as scalar forms or
// faster, but for some operators (docs/decisions/0026-scalar-forms-and-floats.md).
constexpr CpuFeatures kLoopVectors = cpu_features::kF32x4 | cpu_features::kNeon |
                                     cpu_features::kSse41 | cpu_features::kAvx2 |
                                     cpu_features::kAvx512f | cpu_features::kRvv;

// Whether a form is no reference and yet needs nothing of a CPU.
bool is_scalar(const Form& form) {
  return form.number >= kFirstSpecialForm && form.needs == cpu_features::kNone;
}

}  // namespace

bool is_for_halves(const Form& form) {
  return form.packings.blocks.bits == 4 && form.needs != cpu_features::kNone;
}

std::vector<const Form*> candidate_forms(const TargetForms& target, Op op, DType type) {
  const OpEntry* entry = find_op(target.ops, op);
  std::vector<const Form*> references, candidates;
  const bool left_to_references =
      (target.features & kLoopVectors) != 0 && !facts_of(op).scalar_anywhere;
  for (const Form* const* form = entry == nullptr ? nullptr : entry->forms;
       form != nullptr && *form != nullptr; ++form) {
    if (!has((*form)->types, type) || ((*form)->needs & ~target.features) != 0 ||
        (*form)->alignment > target.alignment) {
      continue;
    }
    if (target.whole_bytes && is_for_halves(**form)) continue;
    if (is_scalar(**form) && left_to_references) continue;
    // Of forms that differ in instructions only, the plainest stands for all, unless it must run.
    const bool better_kin = (*form)->kin != 0 && (*form)->kin != (*form)->number;
    const bool takes_bytes =
        (*form)->number >= kFirstSpecialForm && (*form)->safe_distance == nullptr;
    const bool takes_scratch = (*form)->number >= kFirstSpecialForm && (*form)->scratch != nullptr;
    if ((better_kin && !target.exact) || (takes_bytes && target.few_bytes) ||
        (takes_scratch && target.no_scratch)) {
      continue;
    }
    ((*form)->number < kFirstSpecialForm ? references : candidates).push_back(*form);
  }
  if (references.empty()) {
    throw InputError("no form of " + op_name(op) + " for " + dtype_name(type));
  }
  // If references take the same type, the first is for operands that it alone reads.
  candidates.insert(candidates.end(), references.begin(), references.end());
  return candidates;
}

std::string why_barred(const TargetForms& target, const Form& form, DType type) {
  if (!has(form.types, type)) return "is not for " + dtype_name(type);
  if (const CpuFeatures missing = form.needs & ~target.features; missing != 0) {
    return "needs a CPU with " + cpu_features_text(missing);
  }
  if (form.alignment > target.alignment) {
    return "needs data aligned to " + std::to_string(form.alignment) +
           " bytes; the memories align to " + std::to_string(target.alignment);
  }
  if (target.whole_bytes && is_for_halves(form)) {
    return "is for weights of 4 bits, which are fewer bytes here than its code";
  }
  return "";
}

bool accepts(const Form& form, const Step& step) {
  return reads_weights(form, step) && (form.accepts == nullptr || form.accepts(step));
}

StepForms likely_forms(const TargetForms& target, Op op, DType type) {
  const std::vector<const Form*> forms = candidate_forms(target, op, type);
  return {forms.front(), target.exact ? nullptr : forms.back()};
}

const Form& reference_form(const TargetForms& target, const Step& step, DType type) {
  for (const Form* form : candidate_forms(target, step.op(), type)) {
    const bool runs_here = form->number < kFirstSpecialForm && form->run != nullptr;
    if (runs_here && accepts(*form, step)) return *form;
  }
  throw std::logic_error("no reference of " + op_name(step.op()) + " accepts a step");
}

}  // namespace arenite::planner
// SPDX-License-Identifier: Apache-2.0
